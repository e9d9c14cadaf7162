package io.iocluster.testkit.kafka;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import kafka.Kafka;
import kafka.tools.StorageTool;

/** The main class of {@link KafkaProcess}'s child JVM: formats a new data folder, then runs the broker. */
public final class KafkaProcessMain {

    /** Any 16 bytes; fixed, because a broker refuses a data folder with another cluster id. */
    private static final String CLUSTER_ID = Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString("iocluster-testkt".getBytes(StandardCharsets.US_ASCII));

    private KafkaProcessMain() {}

    public static void main(String[] args) {
        String configuration = args[0];
        int formatted = StorageTool.execute(
                new String[] {"format", "--ignore-formatted", "-t", CLUSTER_ID, "-c", configuration}, System.out);
        if (formatted != 0) {
            System.exit(formatted);
        }
        Kafka.main(new String[] {configuration});
    }
}
