package consumer;

import io.iocluster.client.IoClusterClient;
import io.iocluster.client.Request;
import io.iocluster.client.spi.ClientTransport;
import io.iocluster.kafka.client.KafkaClientTransport;
import io.iocluster.message.Answer;
import io.iocluster.rabbit.client.RabbitClientTransport;
import java.io.IOException;
import java.time.Duration;

/** Uses the client on both brokers. */
public final class Orders {

    private Orders() {}

    public static ClientTransport transport(String address) {
        return address.startsWith("amqp") ? RabbitClientTransport.at(address) : KafkaClientTransport.at(address);
    }

    public static int status(ClientTransport transport, String url) throws IOException {
        try (IoClusterClient cluster = IoClusterClient.connect(transport)) {
            Answer answer = cluster.call(Request.get(url).deadline(Duration.ofSeconds(50)).build())
                    .toCompletableFuture()
                    .join();
            return answer.status();
        }
    }
}
