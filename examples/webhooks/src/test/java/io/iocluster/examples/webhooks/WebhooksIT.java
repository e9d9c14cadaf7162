package io.iocluster.examples.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.testkit.process.DemoProcess;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class WebhooksIT {

    @Test
    void everyDeliverySucceedsOrReportsItsFailure() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        boolean correct;
        try (DemoProcess demo = DemoProcess.start("rabbit")) {
            correct = WebhooksExample.run(demo.brokerAddress(), new PrintStream(out, true, StandardCharsets.UTF_8));
        }

        String printed = out.toString(StandardCharsets.UTF_8);
        assertThat(correct).as(printed).isTrue();
        assertThat(printed)
                .contains("the broker holds 30 deliveries\n")
                .containsPattern("shop  delivered 10, retries 0, failed \\{}\n")
                .containsPattern("crm   delivered 10, retries 2, failed \\{}\n")
                .containsPattern("gone  delivered 0, retries \\d+, failed \\{connect-refused=10}\n");
    }
}
