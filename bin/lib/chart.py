"""Checks the Helm chart and its archive in a folder, and renders its cases to that folder: chart.py ROOT FOLDER. bin/chart runs it."""

import functools
import ipaddress
import json
import re
import sys
from pathlib import Path

import helm_python
import jsonschema
import kubernetes_validate
import yaml
from kubernetes_validate import utils

# Of Kubernetes: the oldest version that Chart.yaml allows, and the newest one that the validator knows.
VERSIONS = ("1.29", kubernetes_validate.latest_version())
# The longest names, except of objects that may have 253 characters.
NAME_LIMIT = {"Service": 63, "StatefulSet": 52, "Job": 63, "Deployment": 63}

# Link-local and private addresses, those of cloud metadata among them.
UNREACHABLE = (
    "169.254.169.254 169.254.170.2 10.0.0.1 172.16.0.1 192.168.0.1 100.64.0.1 127.0.0.1 fd00:ec2::254 fe80::1 ::1".split()
)

# Reads each schema once.
utils.schema_contents = functools.cache(utils.schema_contents)


class Release:
    """What one case renders."""

    def __init__(self, name, case, manifests, crds):
        self.name = name
        self.case = case
        self.crds = crds
        self.errors = []
        self.objects = [
            document
            for path, text in sorted(manifests.items())
            if path.endswith(".yaml")
            for document in yaml.safe_load_all(text)
            if document
        ]

    def check(self):
        names = [(o["kind"], o["metadata"]["name"]) for o in self.objects]
        self.expect(names, "nothing is rendered")
        self.expect(len(names) == len(set(names)), "two objects have the same kind and name")
        for document in self.objects:
            self.check_schema(document)
            self.check_identity(document)
            self.check_references(document)
            if document["kind"] == "NetworkPolicy":
                self.check_network(document)
        self.check_autoscaler()
        self.check_configurations()
        return self.errors

    def expect(self, condition, message):
        if not condition:
            self.errors.append(f"{self.name}: {message}")

    def check_schema(self, document):
        kind = f"{document['apiVersion']} {document['kind']}"
        label = f"{document['kind']} {document['metadata']['name']}"
        try:
            if kind in self.crds:
                jsonschema.Draft202012Validator(self.crds[kind]).validate(document)
                return
            for version in VERSIONS:
                kubernetes_validate.validate(document, version, strict=True)
        except jsonschema.ValidationError as error:
            self.expect(False, f"{label}: {'.'.join(map(str, error.path))}: {error.message}")

    def check_identity(self, document):
        """Each object is in the namespace of the release and has its name, so that two releases never share one."""
        metadata = document["metadata"]
        label = f"{document['kind']} {metadata['name']}"
        if self.case.get("chart"):
            return
        release = self.case.get("values", {}).get("fullnameOverride") or self.release
        self.expect(metadata.get("namespace") == self.namespace, f"{label} is not in the namespace of the release")
        self.expect(metadata["name"].startswith(release[:46].rstrip("-")), f"{label} has not the name of the release")
        self.expect(
            len(metadata["name"]) <= NAME_LIMIT.get(document["kind"], 253), f"the name of {label} is too long"
        )
        self.expect(
            metadata["labels"]["app.kubernetes.io/instance"] == self.release, f"{label} has not the label of the release"
        )

    def check_references(self, document):
        """Every name and every selector finds something that is rendered, or that the case says exists."""
        label = f"{document['kind']} {document['metadata']['name']}"
        existing = set(self.case.get("exists", [])) | {
            o["metadata"]["name"] for o in self.objects if o["kind"] in ("ConfigMap", "Secret")
        }
        template = pod_template(document)
        if template:
            spec = template["spec"]
            for name in references(spec):
                self.expect(name in existing, f"{label} refers to {name}, which does not exist")
            containers = spec["containers"] + spec.get("initContainers", [])
            volumes = {v["name"] for v in spec.get("volumes", [])}
            claims = {c["metadata"]["name"] for c in document["spec"].get("volumeClaimTemplates", [])}
            for container in containers:
                for mount in container.get("volumeMounts", []):
                    self.expect(mount["name"] in volumes | claims, f"{label} mounts the unknown {mount['name']}")
                variables = [v["name"] for v in container.get("env", [])]
                self.expect(len(variables) == len(set(variables)), f"{label} sets a variable twice")
            selector = document["spec"].get("selector", {}).get("matchLabels", {})
            labels = template["metadata"]["labels"]
            self.expect(selector.items() <= labels.items(), f"{label} does not select its pods")
        selected = selector_of(document)
        if selected is None:
            return
        pods = [t for t in map(pod_template, self.objects) if t and selected.items() <= t["metadata"]["labels"].items()]
        # Another release has the pods of a sidecar's policy.
        if "iocluster-door" not in selected:
            self.expect(len(pods) == 1, f"{label} selects {len(pods)} kinds of pods")
        for pod in pods:
            ports = {p["name"] for c in pod["spec"]["containers"] for p in c.get("ports", [])}
            for port in named_ports(document):
                self.expect(port in ports, f"{label} names the port {port}, which its pods do not have")

    def check_network(self, policy):
        """Only Prometheus reaches a node. No pod reaches link-local or cluster addresses, or another broker than its own."""
        name, spec = policy["metadata"]["name"], policy["spec"]
        component = policy["metadata"]["labels"]["app.kubernetes.io/component"]
        if component == "node":
            sources = [source for rule in spec["ingress"] for source in rule["from"]]
            self.expect(sources == [in_namespace("monitoring")], f"{name} lets others than Prometheus reach a node")
        if component == "load":
            self.expect("Ingress" in spec["policyTypes"] and not spec["ingress"], f"{name} lets others reach an agent")
        targets = [r for r in spec["egress"] if [p["port"] for p in r["ports"]] == [80, 443]]
        for block in (to["ipBlock"] for rule in targets for to in rule["to"]):
            for address in map(ipaddress.ip_address, UNREACHABLE):
                open_networks = [ipaddress.ip_network(block["cidr"])]
                closed = [ipaddress.ip_network(network) for network in block.get("except", [])]
                reaches = any(address in n for n in open_networks) and not any(address in n for n in closed)
                self.expect(not reaches, f"{name} lets a pod reach {address}")
        if "brokers" in self.case:
            brokers = {}
            for rule in spec["egress"]:
                for to in rule["to"]:
                    if "namespaceSelector" in to and to != in_namespace("kube-system"):
                        space = to["namespaceSelector"]["matchLabels"]["kubernetes.io/metadata.name"]
                        brokers[space] = brokers.get(space, []) + [p["port"] for p in rule["ports"]]
            self.expect(brokers == self.case["brokers"], f"{name} allows the brokers {brokers}")

    def check_autoscaler(self):
        """The autoscaler finds its target, and asks for the job that the nodes are scraped as."""
        deployments = {o["metadata"]["name"]: o for o in self.objects if o["kind"] == "Deployment"}
        jobs = {
            r["replacement"]
            for o in self.objects
            if o["kind"] == "PodMonitor"
            for r in o["spec"]["podMetricsEndpoints"][0]["relabelings"]
        }
        for scaler in (o for o in self.objects if o["kind"] in ("ScaledObject", "HorizontalPodAutoscaler")):
            target = deployments.get(scaler["spec"]["scaleTargetRef"]["name"])
            self.expect(target, "the autoscaler has no target")
            self.expect(target and "replicas" not in target["spec"], "the Deployment and the autoscaler set the replicas")
            for trigger in scaler["spec"].get("triggers", []):
                job = re.search('job="([^"]*)"', trigger["metadata"]["query"]).group(1)
                self.expect(not jobs or job in jobs, f"the autoscaler asks for the job {job}, and the jobs are {jobs}")
        for job in jobs:
            self.expect(re.fullmatch("(.+/)?iocluster(-door)?", job), f"the alerts do not select the job {job}")

    def check_configurations(self):
        """Every file that a configuration inserts or names is in the Secret that the chart creates, if it creates one."""
        for document in self.objects:
            if document["kind"] != "ConfigMap" or not {"node.yaml", "door.yaml"} & document["data"].keys():
                continue
            text = document["data"].get("node.yaml") or document["data"]["door.yaml"]
            self.expect(isinstance(yaml.safe_load(text), dict), "a configuration is not YAML")
            files = set(re.findall(r"\$\{file:\.\./secret/([^}]+)}", text))
            files |= set(re.findall(r"/etc/iocluster/secret/(\S+)", text))
            created = [
                o for o in self.objects if o["kind"] == "Secret" and o["metadata"]["name"] == document["metadata"]["name"]
            ]
            external = self.case.get("exists") or not created and not files
            missing = files - {key for o in created for key in o["data"]}
            self.expect(external or not missing, f"{document['metadata']['name']} misses the files {sorted(missing)}")

    @property
    def release(self):
        return self.case.get("release", "iocluster")

    @property
    def namespace(self):
        return self.case.get("namespace", "iocluster")


def in_namespace(name):
    return {"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": name}}}


def pod_template(document):
    return document["spec"]["template"] if document["kind"] in ("Deployment", "StatefulSet", "Job") else None


def selector_of(document):
    """Returns the labels by which an object selects pods, or None."""
    spec = document.get("spec", {})
    return {
        "Service": lambda: spec["selector"],
        "PodDisruptionBudget": lambda: spec["selector"]["matchLabels"],
        "PodMonitor": lambda: spec["selector"]["matchLabels"],
        "NetworkPolicy": lambda: spec["podSelector"]["matchLabels"],
    }.get(document["kind"], lambda: None)()


def named_ports(document):
    ports = [p.get("targetPort") for p in document["spec"].get("ports", [])]
    ports += [p["port"] for p in document["spec"].get("podMetricsEndpoints", [])]
    ports += [p["port"] for rule in document["spec"].get("ingress", []) for p in rule["ports"]]
    return [port for port in ports if isinstance(port, str)]


def references(spec):
    """Yields the names of the ConfigMaps and Secrets that a pod needs."""
    for volume in spec.get("volumes", []):
        if "configMap" in volume:
            yield volume["configMap"]["name"]
        for source in volume.get("projected", {}).get("sources", []):
            yield source["secret"]["name"]
    for secret in spec.get("imagePullSecrets", []):
        yield secret["name"]


def check(root, output):
    charts = root / "charts"
    crds = json.loads((charts / "tests/crds.json").read_text())
    cases = yaml.safe_load((charts / "tests/cases.yaml").read_text())
    # The cases of the chart itself render its archive, because that is what users install.
    (archive,) = output.glob("*.tgz")
    loaded = {None: helm_python.Chart.load(archive), "parent": helm_python.Chart.load(charts / "tests/parent")}
    report = helm_python.lint(charts / "iocluster", {}, strict=True)
    errors = [f"lint: {m['path']}: {m['error']}" for m in report["messages"] if m["severity"] > 1]
    version = re.search("<version>(.*?)(-SNAPSHOT)?</version>", (root / "pom.xml").read_text()).group(1)
    for key in ("version", "appVersion"):
        if loaded[None].metadata[key] != version:
            errors.append(f"Chart.yaml: {key} is not {version}, the version of pom.xml")
    for name, case in cases.items():
        release = {"name": case.get("release", "iocluster"), "namespace": case.get("namespace", "iocluster")}
        try:
            manifests = loaded[case.get("chart")].render(case.get("values", {}), **release)
        except helm_python.HelmError as error:
            if case.get("error") is None or case["error"] not in str(error):
                errors.append(f"{name}: {error}")
            continue
        if "error" in case:
            errors.append(f"{name}: the chart accepts the values")
            continue
        rendered = Release(name, case, manifests, crds)
        (output / name).mkdir()
        for document in rendered.objects:
            file = output / name / f"{document['kind']}-{document['metadata']['name']}.yaml"
            file.write_text(yaml.safe_dump(document, sort_keys=False, explicit_start=True))
        errors += rendered.check()
    for error in errors:
        print(f"iocluster: {error}")
    print(f"iocluster: {len(cases)} cases of the chart, {len(errors)} errors")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(check(*map(Path, sys.argv[1:])))
