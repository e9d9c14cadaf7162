package io.iocluster.node.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.monitoring.Promtool.PromtoolResult;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks the files for Prometheus with {@code promtool}, which also tests the alerts that take longer than seconds. */
class PrometheusFilesIT {

    @ParameterizedTest
    @CsvSource({
        "check config, prometheus.yaml",
        "check rules, iocluster.rules.yaml",
        "test rules, iocluster.test.yaml",
    })
    void promtoolAcceptsTheFiles(String command, String file) throws Exception {
        String[] words = command.split(" ");

        PromtoolResult result = Promtool.run(
                words[0], words[1], PrometheusProcess.FILES.resolve(file).toString());

        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("SUCCESS");
    }
}
