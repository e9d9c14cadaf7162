package io.iocluster.lab.bench.naive;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.CancelCallback;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.DeliverCallback;
import com.rabbitmq.client.Delivery;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CountDownLatch;
import org.asynchttpclient.AsyncHttpClient;

/**
 * Consume, call, publish, acknowledge. Answers are persistent and on a channel with publisher confirms, so that the broker does for
 * them what it does for the node's, and a request is acknowledged once its answer is handed to the client; the calls in flight
 * are bounded by the prefetch. It does not wait for a confirm nor look at one, so that an answer that the broker loses is lost; it
 * publishes and acknowledges each by itself, on the HTTP client's threads, which wait when the broker does; it keeps no
 * deadline, retries nothing, checks no URL and counts nothing; a lost connection is left to the client's own recovery.
 * Arguments: URI, request queue, answer queue, calls in flight.
 */
public final class RabbitNaiveLoop {

    private static final int PERSISTENT = 2;

    private final AsyncHttpClient client;
    private final Channel requests;
    private final Channel answers;
    private final String answerQueue;

    private RabbitNaiveLoop(AsyncHttpClient client, Channel requests, Channel answers, String answerQueue) {
        this.client = client;
        this.requests = requests;
        this.answers = answers;
        this.answerQueue = answerQueue;
    }

    public static void main(String[] args) throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(args[0]);
        try (Connection connection = factory.newConnection("naive");
                Channel requests = connection.createChannel();
                Channel answers = connection.createChannel();
                AsyncHttpClient client = NaiveCall.client()) {
            answers.confirmSelect();
            requests.basicQos(Integer.parseInt(args[3]));
            new RabbitNaiveLoop(client, requests, answers, args[2]).run(args[1]);
        }
    }

    private void run(String requestQueue) throws IOException, InterruptedException {
        CountDownLatch cancelled = new CountDownLatch(1);
        DeliverCallback deliver =
                (tag, request) -> NaiveCall.read(request.getBody()).make(client, answer -> answer(request, answer));
        CancelCallback cancel = tag -> cancelled.countDown();
        requests.basicConsume(requestQueue, false, deliver, cancel);
        cancelled.await();
    }

    private void answer(Delivery request, byte[] answer) {
        BasicProperties properties = new BasicProperties.Builder()
                .contentType("application/json")
                .deliveryMode(PERSISTENT)
                .correlationId(request.getProperties().getCorrelationId())
                .headers(request.getProperties().getHeaders())
                .build();
        try {
            // A channel is not for several threads at once.
            synchronized (answers) {
                answers.basicPublish("", answerQueue, properties, answer);
            }
            synchronized (requests) {
                requests.basicAck(request.getEnvelope().getDeliveryTag(), false);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
