package io.iocluster.examples.attribution;

import io.iocluster.client.ClientConfig;
import io.iocluster.client.IoClusterClient;
import io.iocluster.client.spi.ClientTransport;
import io.iocluster.kafka.client.KafkaClientTransport;
import io.iocluster.rabbit.client.RabbitClientTransport;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;

/** Attributes a dozen launches, with local servers as the sources, and exits 0 if every attribution is correct. */
public final class AttributionExample {

    private static final int LAUNCHES = 12;
    private static final Duration WITHIN = Duration.ofSeconds(1);

    private AttributionExample() {}

    public static void main(String[] args) throws IOException {
        if (args.length != 1) {
            System.err.println("usage: examples/run attribution 127.0.0.1:9092 | amqp://user:password@127.0.0.1:5672/");
            System.exit(2);
        }
        System.exit(run(args[0], WITHIN, System.out) ? 0 : 1);
    }

    /** @param within the deadline of each launch */
    static boolean run(String broker, Duration within, PrintStream out) throws IOException {
        try (StandIn search = StandIn.start("search", Duration.ZERO, launch -> launch % 2 == 0, StandIn.NO_MATCH);
                StandIn social =
                        StandIn.start("social", Duration.ofMillis(400), launch -> launch % 3 == 0, StandIn.NO_BODY);
                StandIn video = StandIn.start("video", within.multipliedBy(3), launch -> true, StandIn.NO_MATCH);
                IoClusterClient cluster = IoClusterClient.connect(
                        ClientConfig.forTransport(transport(broker)).withName("attribution"))) {
            List<StandIn> fastestFirst = List.of(search, social, video);
            Attributor attributor = new Attributor(
                    cluster, fastestFirst.stream().map(StandIn::source).toList(), within);
            // The first call opens the connections, so that no measured launch has to.
            join(attributor.attribute(0));

            List<CompletionStage<Attribution>> launches = IntStream.rangeClosed(1, LAUNCHES)
                    .mapToObj(attributor::attribute)
                    .toList();
            boolean correct = true;
            Map<String, Integer> wins = new TreeMap<>();
            for (CompletionStage<Attribution> launch : launches) {
                Attribution found = join(launch);
                String expected = expected(fastestFirst, found.launch(), within);
                boolean asExpected = found.source().equals(expected);
                out.printf(
                        "launch %2d  %-6s  %4d ms%s%n",
                        found.launch(),
                        found.source(),
                        found.took().toMillis(),
                        asExpected ? "" : "  should be " + expected);
                wins.merge(found.source(), 1, Integer::sum);
                correct &= asExpected;
            }
            out.println(LAUNCHES + " launches: " + wins);
            return correct;
        }
    }

    private static ClientTransport transport(String broker) {
        return broker.startsWith("amqp") ? RabbitClientTransport.at(broker) : KafkaClientTransport.at(broker);
    }

    private static String expected(List<StandIn> fastestFirst, int launch, Duration within) {
        return fastestFirst.stream()
                .filter(source -> source.finds(launch, within))
                .map(source -> source.source().name())
                .findFirst()
                .orElse(Attribution.NONE);
    }

    private static Attribution join(CompletionStage<Attribution> stage) {
        return stage.toCompletableFuture().join();
    }
}
