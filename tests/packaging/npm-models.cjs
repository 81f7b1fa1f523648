// Checks custom resources by the schemas of the npm models: reads a JSON list of objects from standard input, prints a JSON list with null or
// what is wrong with each. Run in the folder that holds node_modules.
const path = require("node:path");
const packages = {
  "networking.istio.io": "istio",
  "extensions.istio.io": "istio",
  "gateway.networking.k8s.io": "gateway-api",
  "monitoring.coreos.com": "prometheus-operator",
};
const modules = path.join(process.cwd(), "node_modules", "@kubernetes-models");
const verdicts = JSON.parse(require("node:fs").readFileSync(0, "utf8")).map((found) => {
  const [group, version] = found.apiVersion.split("/");
  try {
    const Model = require(path.join(modules, packages[group], group, version, found.kind))[found.kind];
    new Model(found).validate();
    return null;
  } catch (error) {
    return String(error.message ?? error);
  }
});
console.log(JSON.stringify(verdicts));
