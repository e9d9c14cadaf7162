package io.iocluster.lab.load;

import io.iocluster.lab.load.experiment.ExperimentFile;
import io.iocluster.lab.load.experiment.Fault;
import io.iocluster.lab.load.result.ResultJson;
import io.iocluster.lab.load.result.RunResult;
import io.iocluster.lab.load.spi.FaultInjector;
import io.iocluster.lab.load.spi.LoadExtensions;
import io.iocluster.lab.load.spi.MetricReader;
import io.iocluster.lab.load.spi.RunListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Writes the result as JSON, without progress, metrics and faults. */
final class PlainExtensions implements LoadExtensions {

    @Override
    public List<RunListener> listeners() {
        return List.of();
    }

    @Override
    public FaultInjector faultInjector(ExperimentFile file) {
        return new FaultInjector() {

            @Override
            public ActiveFault start(Fault fault) throws IOException {
                throw new IOException("faults are not supported");
            }

            @Override
            public String describe(Fault fault) {
                return fault.name();
            }
        };
    }

    @Override
    public MetricReader metricReader(ExperimentFile file) {
        return new MetricReader() {

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
        };
    }

    @Override
    public List<Path> writeReports(RunResult result, ExperimentFile file, Path folder) throws IOException {
        return List.of(Files.writeString(folder.resolve("result.json"), ResultJson.encode(result)));
    }
}
