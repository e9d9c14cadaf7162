package io.iocluster.examples.attribution;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.testkit.process.DemoProcess;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class AttributionIT {

    @Test
    void attributesEachLaunchToTheFirstMatchingSource() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        boolean correct;
        try (DemoProcess demo = DemoProcess.start("kafka")) {
            // A second is too short for a busy machine.
            correct = AttributionExample.run(
                    demo.brokerAddress(), Duration.ofSeconds(10), new PrintStream(out, true, StandardCharsets.UTF_8));
        }

        String printed = out.toString(StandardCharsets.UTF_8);
        assertThat(correct).as(printed).isTrue();
        assertThat(printed)
                .containsPattern("launch  1  none +\\d+ ms\n")
                .containsPattern("launch  3  social +\\d+ ms\n")
                .containsPattern("launch  6  search +\\d+ ms\n")
                .endsWith("12 launches: {none=4, search=6, social=2}\n");
    }
}
