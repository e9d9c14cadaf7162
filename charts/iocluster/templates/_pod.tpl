{{/* The sources of the folder /etc/iocluster/secret of a component: (list $ "door") */}}
{{- define "iocluster.pod.secrets" -}}
{{- $root := index . 0 -}}
{{- $values := index $root.Values (index . 1) -}}
{{- $created := has (index . 1) (list "node" "door") | ternary (include "iocluster.name" .) "" -}}
{{- with $values.secret.name | default $created }}
- secret: {name: {{ . }}}
{{- end }}
{{- if ne (dig "config" "door" "transport" "" $values) "local" }}
{{- range $root.Values.brokerSecrets }}
- secret: {{- toYaml . | nindent 4 }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "iocluster.pod.volumes" -}}
{{- $root := index . 0 -}}
{{- $component := index . 1 -}}
- name: iocluster-config
  configMap: {name: {{ include "iocluster.name" . }}}
{{- with include "iocluster.pod.secrets" . | trim }}
- name: iocluster-secret
  projected:
    # The pod of a sidecar may have no fsGroup, so all users can read the files.
    defaultMode: {{ eq $component "sidecar" | ternary 292 288 }}
    sources: {{- . | nindent 4 }}
{{- end }}
{{- if eq $component "load" }}
{{- with $root.Values.load.data }}
- name: iocluster-data
  configMap: {name: {{ . }}}
{{- end }}
{{- end }}
- name: iocluster-tmp
  emptyDir: {sizeLimit: 64Mi}
{{- end -}}

{{- define "iocluster.pod.container" -}}
{{- $root := index . 0 -}}
{{- $component := index . 1 -}}
{{- $values := index $root.Values $component -}}
{{- $isDoor := has $component (list "door" "sidecar") -}}
{{- $names := list -}}
{{- range $values.env }}{{ $names = append $names .name }}{{ end -}}
name: {{ eq $component "sidecar" | ternary "iocluster-door" $component }}
image: {{ include "iocluster.image" $root }}
imagePullPolicy: {{ $root.Values.image.pullPolicy }}
{{- if $isDoor }}
args: [door, --config, /etc/iocluster/config/door.yaml]
{{- else if eq $component "load" }}
args: [load, agent, --config, /etc/iocluster/config/node.yaml, --name, $(POD_NAME), --data, /etc/iocluster/data, --runs, "1"]
{{- else }}
args: [run, --config, /etc/iocluster/config/node.yaml]
{{- end }}
env:
  - name: POD_NAME
    valueFrom: {fieldRef: {fieldPath: metadata.name}}
  {{- if and $isDoor (not (has "IOCLUSTER_JAVA_OPTS" $names)) }}
  # Without a CPU limit, the door would start threads for each CPU of the machine, and they would not fit into its memory.
  - {name: IOCLUSTER_JAVA_OPTS, value: "-XX:ActiveProcessorCount=2"}
  {{- end }}
  {{- with $values.env }}{{ toYaml . | nindent 2 }}{{ end }}
{{- if $isDoor }}
{{- if eq $component "door" }}
ports:
  - {name: door, containerPort: 8081}
{{- end }}
# Commands, because the door of a sidecar listens on loopback only, and other doors may use TLS.
startupProbe:
  exec: {command: [/opt/iocluster/bin/healthcheck, "8081", /readyz]}
  periodSeconds: 2
  timeoutSeconds: 5
  failureThreshold: 30
livenessProbe:
  exec: {command: [/opt/iocluster/bin/healthcheck, "8081", /livez]}
  periodSeconds: 20
  timeoutSeconds: 5
  failureThreshold: 3
readinessProbe:
  exec: {command: [/opt/iocluster/bin/healthcheck, "8081", /readyz]}
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 2
{{- else if eq $component "node" }}
ports:
  - {name: admin, containerPort: 8080}
startupProbe:
  httpGet: {path: /livez, port: admin}
  periodSeconds: 2
  failureThreshold: 30
livenessProbe:
  httpGet: {path: /livez, port: admin}
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
# Not ready while the broker is unreachable. A node receives no traffic; readiness is for rollouts and operators.
readinessProbe:
  httpGet: {path: /readyz, port: admin}
  periodSeconds: 5
  timeoutSeconds: 5
  failureThreshold: 2
{{- end }}
resources: {{- toYaml $values.resources | nindent 2 }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
  seccompProfile: {type: RuntimeDefault}
volumeMounts:
  # Folders, because Kubernetes does not update single mounted files. The node applies edits of the ConfigMap or Secret.
  - {name: iocluster-config, mountPath: /etc/iocluster/config, readOnly: true}
  {{- if include "iocluster.pod.secrets" . | trim }}
  - {name: iocluster-secret, mountPath: /etc/iocluster/secret, readOnly: true}
  {{- end }}
  {{- if and (eq $component "load") $root.Values.load.data }}
  - {name: iocluster-data, mountPath: /etc/iocluster/data, readOnly: true}
  {{- end }}
  {{- if and (eq $component "door") $root.Values.door.spool.enabled }}
  - {name: spool, mountPath: /var/lib/iocluster}
  {{- end }}
  # The JVM unpacks its native libraries in this folder.
  - {name: iocluster-tmp, mountPath: /tmp}
{{- end -}}

{{/* The container with the fields that the values override. */}}
{{- define "iocluster.pod.mergedContainer" -}}
{{- $values := index (index . 0).Values (index . 1) -}}
{{- mergeOverwrite (include "iocluster.pod.container" . | fromYaml) $values.container | toYaml -}}
{{- end -}}

{{- define "iocluster.pod.spec" -}}
{{- $root := index . 0 -}}
{{- $component := index . 1 -}}
automountServiceAccountToken: false
# A node reads variables that start with IOCLUSTER_ as settings, and service links could create such variables.
enableServiceLinks: false
{{- with $root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- if eq $component "load" }}
restartPolicy: Never
terminationGracePeriodSeconds: 15
{{- else }}
# More than shutdown.drain-timeout: on SIGTERM a node stops reading and finishes its calls. No client has to be rerouted first, so there
# is no preStop hook.
terminationGracePeriodSeconds: {{ add (index $root.Values $component).drainSeconds 15 }}
{{- end }}
securityContext: {fsGroup: 10001, fsGroupChangePolicy: OnRootMismatch}
topologySpreadConstraints:
  {{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- include "iocluster.selector" (list $root $component) | nindent 8 }}
  {{- end }}
containers:
  - {{- include "iocluster.pod.mergedContainer" . | nindent 4 }}
volumes: {{- include "iocluster.pod.volumes" . | nindent 2 }}
{{- end -}}

{{/* The pod template of a component. */}}
{{- define "iocluster.pod" -}}
{{- $values := index (index . 0).Values (index . 1) -}}
metadata:
  labels:
    {{- include "iocluster.labels" . | nindent 4 }}
    {{- with $values.podLabels }}{{ toYaml . | nindent 4 }}{{ end }}
  {{- with $values.podAnnotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec: {{- mergeOverwrite (include "iocluster.pod.spec" . | fromYaml) $values.pod | toYaml | nindent 2 }}
{{- end -}}
