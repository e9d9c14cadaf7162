package consumer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.iocluster.testkit.target.TargetServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;

class OrdersTest {

    @Test
    void theTargetOfTheTestkitAnswers() throws Exception {
        try (TargetServer target = TargetServer.start()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(target.url("/ok"))).build();

            assertEquals(200, HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).statusCode());
        }
    }

    @Test
    void theClientSaysThatTheBrokerIsUnreachable() {
        assertThrows(IOException.class, () -> Orders.status(Orders.transport("amqp://127.0.0.1:1/"), "http://127.0.0.1:1/"));
    }

    @Test
    void bothTransportsAreOnTheClassPath() {
        assertEquals("kafka", Orders.transport("127.0.0.1:1").name());
        assertEquals("rabbit", Orders.transport("amqp://127.0.0.1:1/").name());
    }
}
