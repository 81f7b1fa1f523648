{{- define "forebay.name" -}}
{{- default .Release.Name .Values.nameOverride | trunc 52 | trimSuffix "-" -}}
{{- end }}

{{- define "forebay.selectorLabels" -}}
app.kubernetes.io/name: forebay
app.kubernetes.io/instance: {{ include "forebay.name" . }}
{{- end }}

{{- define "forebay.labels" -}}
{{ include "forebay.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/part-of: forebay
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "forebay.image" -}}
{{- $tag := default (printf "%s%s" .Chart.AppVersion (ternary "-rocm" "" .Values.gpu.enabled)) .Values.image.tag -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ $tag }}
{{- end -}}
{{- end }}

{{- define "forebay.socketPath" -}}
{{ .Values.socket.hostDirectory }}/inferd.sock
{{- end }}

{{- /* Where the model folders lie in the container. */ -}}
{{- define "forebay.modelRoot" -}}
{{ ternary "/opt/forebay/models" "/models" (eq .Values.models.source "image") }}
{{- end }}

{{- /* inferd's configuration: what the chart decides wins over .Values.config. */ -}}
{{- define "forebay.config" -}}
{{- $root := include "forebay.modelRoot" . -}}
{{- $models := list -}}
{{- range .Values.models.folders }}{{ $models = append $models (printf "%s/%s" $root .) }}{{ end -}}
{{- $socket := dict "path" (include "forebay.socketPath" .) "mode" .Values.socket.mode "group" (printf "%.0f" .Values.socket.gid) -}}
{{- $own := dict "socket" $socket "admin" (dict "listen" .Values.admin.listen) "models" $models -}}
{{- if .Values.gpu.enabled }}{{ $_ := set $own "runtime" (dict "provider" "rocm") }}{{ end -}}
{{- toYaml (mergeOverwrite (deepCopy .Values.config) $own) -}}
{{- end }}

{{- define "forebay.gatewayNamespace" -}}
{{ default .Release.Namespace .Values.gateway.namespace }}
{{- end }}

{{- /* The filter's configuration as JSON, given the daemon's address: the Istio name of its cluster, or an alias. */ -}}
{{- define "forebay.filterConfig" -}}
{{- $daemon := merge (dict "timeout_ms" (int .root.Values.filter.timeoutMs)) .daemon -}}
{{- merge (dict "daemon" $daemon) .root.Values.filter.config | toPrettyJson -}}
{{- end }}

{{- /* The most bytes that Envoy may hold of a request: what the filter reads at most. */ -}}
{{- define "forebay.maxBodyBytes" -}}
{{- $limits := default dict .Values.filter.config.limits -}}
{{ int64 (default 67108864 $limits.max_body_bytes) }}
{{- end }}

{{- /* Ends requests that a crash of the filter's VM left waiting; above all that a request may wait for: upload or room, then the daemon. */ -}}
{{- define "forebay.streamIdleTimeout" -}}
{{- $limits := default dict .Values.filter.config.limits -}}
{{- $waits := add (int (default 30000 $limits.upload_timeout_ms)) (int .Values.filter.timeoutMs) -}}
{{ max 60 (add 10 (div $waits 1000)) }}s
{{- end }}

{{- /* The daemon's cluster for patches, by its socket. gRPC needs HTTP/2. */ -}}
{{- define "forebay.cluster" -}}
name: inferd
type: STATIC
connect_timeout: 0.25s
typed_extension_protocol_options:
  envoy.extensions.upstreams.http.v3.HttpProtocolOptions:
    "@type": type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions
    explicit_http_config:
      http2_protocol_options: {}
circuit_breakers:
  thresholds:
    - max_requests: 16384
      max_pending_requests: 16384
load_assignment:
  cluster_name: inferd
  endpoints:
    - lb_endpoints:
        - endpoint:
            address:
              pipe:
                path: {{ include "forebay.socketPath" . }}
{{- end }}
