package io.iocluster.lab.bench.broker;

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
 * Consumes, calls, publishes and acknowledges. Answers are persistent and use a channel with publisher confirms, so
 * that the broker does the same work as for the node. The loop ignores the confirms, so an answer that the broker
 * loses is lost: it acknowledges a request as soon as the client has its answer. It publishes and acknowledges each
 * message separately, on the HTTP client's threads, which block when the broker does. The prefetch bounds the calls in
 * flight. There are no deadlines, retries, URL checks or metrics, and only the client's automatic recovery handles a
 * lost connection. Arguments: URI, request queue, answer queue, maximum calls in flight.
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
            // A channel is not thread-safe.
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
