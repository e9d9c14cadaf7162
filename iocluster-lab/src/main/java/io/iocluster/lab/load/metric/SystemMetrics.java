package io.iocluster.lab.load.metric;

import io.iocluster.lab.load.experiment.Expectation;
import io.iocluster.lab.load.experiment.Expectation.Kind;
import io.iocluster.lab.load.experiment.Experiment;
import io.iocluster.lab.load.experiment.MetricQuery;
import io.iocluster.lab.load.experiment.SystemUnderTest;
import io.iocluster.lab.load.result.MetricSeries;
import io.iocluster.node.cli.admin.AdminClient;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.DoubleStream;

/** Reads the status of the nodes of an experiment and its PromQL. Confined to one thread. */
public final class SystemMetrics implements MetricReader {

    /** A slower source would delay the figures of the others. */
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private static final String IN_FLIGHT_LIMIT = "in flight limit";
    private static final String WAITING = "waiting";

    private final List<NodeProbe> nodes = new ArrayList<>();
    private final Map<String, String> units = new LinkedHashMap<>();
    private final PrometheusProbe prometheus;
    private final boolean lagIsShared;
    private final ProbeReader reader;

    /**
     * @param environment variables, of which one may hold the token of the admin servers
     * @param problems receives messages for the user: that a source cannot be read, and that it is back
     */
    public SystemMetrics(Experiment experiment, Map<String, String> environment, Consumer<String> problems) {
        SystemUnderTest system = experiment.system();
        String token = environment.getOrDefault(system.adminTokenVariable(), "");
        system.nodes().forEach(url -> nodes.add(new NodeProbe(AdminClient.of(URI.create(url), token, TIMEOUT))));
        Map<String, String> queries = queries(experiment);
        prometheus = system.prometheus().isEmpty() || queries.isEmpty()
                ? null
                : new PrometheusProbe(URI.create(system.prometheus()), TIMEOUT, queries);
        lagIsShared = system.kind() == SystemUnderTest.Kind.RABBIT;
        List<Probe> probes = new ArrayList<>(nodes);
        if (prometheus != null) {
            probes.add(prometheus);
        }
        reader = new ProbeReader(probes, TIMEOUT, problems);
    }

    private Map<String, String> queries(Experiment experiment) {
        Map<String, String> queries = new LinkedHashMap<>();
        for (MetricQuery metric : experiment.metrics()) {
            queries.put(metric.name(), metric.promql());
            units.put(metric.name(), metric.unit());
        }
        for (Expectation expectation : experiment.parsedExpectations()) {
            if (expectation.metric().kind() == Kind.PROMQL) {
                queries.put(expectation.metric().name(), expectation.metric().name());
            }
        }
        return queries;
    }

    @Override
    public List<Reading> read() throws IOException, InterruptedException {
        Map<Probe, Map<String, Double>> figures = reader.read();
        if (figures.isEmpty() && reader.isFailing()) {
            throw new IOException("no source of metrics can be read; see system.nodes and system.prometheus");
        }
        List<Reading> readings = new ArrayList<>();
        addNodes(figures, readings);
        if (prometheus != null) {
            figures.getOrDefault(prometheus, Map.of())
                    .forEach((name, value) -> readings.add(new Reading(name, units.getOrDefault(name, ""), value)));
        }
        return readings;
    }

    private void addNodes(Map<Probe, Map<String, Double>> figures, List<Reading> readings) {
        List<Map<String, Double>> known =
                nodes.stream().filter(figures::containsKey).map(figures::get).toList();
        add(readings, MetricSeries.LAG_SECONDS, "s", values(known, NodeProbe.LAG_SECONDS), true);
        add(readings, MetricSeries.LAG_MESSAGES, "", values(known, NodeProbe.LAG), lagIsShared);
        add(readings, MetricSeries.IN_FLIGHT, "", values(known, NodeProbe.IN_FLIGHT), false);
        add(readings, IN_FLIGHT_LIMIT, "", values(known, NodeProbe.IN_FLIGHT_LIMIT), false);
        add(readings, WAITING, "", values(known, NodeProbe.WAITING), false);
        add(readings, MetricSeries.CPU_CORES, "cores", values(known, NodeProbe.CPU), false);
        if (nodes.size() > 1) {
            figures.forEach((probe, each) -> {
                addOfNode(readings, MetricSeries.IN_FLIGHT, "", probe, each.get(NodeProbe.IN_FLIGHT));
                addOfNode(readings, MetricSeries.CPU_CORES, "cores", probe, each.get(NodeProbe.CPU));
            });
        }
    }

    private static double[] values(List<Map<String, Double>> nodes, String name) {
        return nodes.stream()
                .filter(each -> each.containsKey(name))
                .mapToDouble(each -> each.get(name))
                .toArray();
    }

    private static void add(List<Reading> readings, String name, String unit, double[] values, boolean highest) {
        if (values.length > 0) {
            double value = highest
                    ? DoubleStream.of(values).max().getAsDouble()
                    : DoubleStream.of(values).sum();
            readings.add(new Reading(name, unit, value));
        }
    }

    private static void addOfNode(List<Reading> readings, String name, String unit, Probe node, Double value) {
        if (value != null) {
            readings.add(new Reading(name + " of " + node.name(), unit, value));
        }
    }

    @Override
    public Map<String, String> nodeVersions() {
        Map<String, String> versions = new TreeMap<>();
        nodes.forEach(node -> node.identity().ifPresent(each -> versions.put(each.id(), each.version())));
        return versions;
    }

    @Override
    public void close() {
        reader.close();
    }
}
