package io.iocluster.lab.load.agent;

import io.iocluster.lab.load.spi.MetricReader;
import java.util.List;
import java.util.Map;

/** Reads no metrics, because the driver reads those of the system. Stateless. */
final class NoMetrics implements MetricReader {

    @Override
    public List<Reading> read() {
        return List.of();
    }

    @Override
    public Map<String, String> nodeVersions() {
        return Map.of();
    }

    @Override
    public void close() {}
}
