package io.iocluster.examples.webhooks;

import io.iocluster.client.ClientConfig;
import io.iocluster.client.IoClusterClient;
import io.iocluster.client.spi.ClientTransport;
import io.iocluster.kafka.client.KafkaClientTransport;
import io.iocluster.rabbit.client.RabbitClientTransport;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Delivers events to three subscribers: {@code shop} works, {@code crm} first answers 503, and {@code gone} refuses
 * connections. Exits 0 if every delivery has the expected result.
 */
public final class WebhooksExample {

    private static final int EVENTS = 10;
    private static final int CRM_FAILURES = 2;
    private static final long TIMEOUT_SECONDS = 120;

    private WebhooksExample() {}

    public static void main(String[] args) throws IOException {
        if (args.length != 1) {
            System.err.println("usage: examples/run webhooks 127.0.0.1:9092 | amqp://user:password@127.0.0.1:5672/");
            System.exit(2);
        }
        System.exit(run(args[0], System.out) ? 0 : 1);
    }

    static boolean run(String broker, PrintStream out) throws IOException {
        Ledger ledger = new Ledger();
        try (Subscriber shop = Subscriber.start(0);
                Subscriber crm = Subscriber.start(CRM_FAILURES);
                Socket closedPort = closedPort();
                IoClusterClient cluster = IoClusterClient.connect(
                        ClientConfig.forTransport(transport(broker)).withName("webhooks"));
                WebhookDispatcher dispatcher = new WebhookDispatcher(cluster, ledger)) {
            List<Event> toShop = events("shop", shop.url());
            List<Event> toCrm = events("crm", crm.url());
            List<Event> toGone = events("gone", "http://127.0.0.1:" + closedPort.getLocalPort() + "/events");

            List<CompletableFuture<String>> confirmed = Stream.of(toShop, toCrm, toGone)
                    .flatMap(List::stream)
                    .map(event -> dispatcher.enqueue(event).toCompletableFuture())
                    .toList();
            confirmed.forEach(CompletableFuture::join);
            out.println("the broker holds " + confirmed.size() + " deliveries");

            Tally atShop = tally(ledger, toShop);
            Tally atCrm = tally(ledger, toCrm);
            Tally atGone = tally(ledger, toGone);
            out.println("shop  " + atShop);
            out.println("crm   " + atCrm);
            out.println("gone  " + atGone);
            return atShop.delivered() == EVENTS
                    && toShop.stream().allMatch(shop::has)
                    && atCrm.delivered() == EVENTS
                    && atCrm.retries() >= CRM_FAILURES
                    && toCrm.stream().allMatch(crm::has)
                    && atGone.failed().equals(Map.of("connect-refused", EVENTS));
        }
    }

    private static ClientTransport transport(String broker) {
        return broker.startsWith("amqp") ? RabbitClientTransport.at(broker) : KafkaClientTransport.at(broker);
    }

    /** Reserves a port on which no server listens. */
    private static Socket closedPort() throws IOException {
        Socket socket = new Socket();
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        return socket;
    }

    private static List<Event> events(String subscriber, String url) {
        return IntStream.rangeClosed(1, EVENTS)
                .mapToObj(order -> new Event(
                        WebhookDispatcher.id(UUID.randomUUID().toString()),
                        subscriber,
                        url,
                        "{\"order\": " + order + "}"))
                .toList();
    }

    private static Tally tally(Ledger ledger, List<Event> events) {
        return Tally.of(events.stream()
                .map(event -> ledger.of(event)
                        .orTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS)
                        .join())
                .toList());
    }
}
