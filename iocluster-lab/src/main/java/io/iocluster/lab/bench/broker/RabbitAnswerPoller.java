package io.iocluster.lab.bench.broker;

import com.rabbitmq.client.CancelCallback;
import com.rabbitmq.client.DeliverCallback;
import com.rabbitmq.client.Delivery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Consumes a queue of answers, or only reads its length. Confined to one thread. */
final class RabbitAnswerPoller implements AnswerPoller {

    /** Limits the answers in memory, because a whole queue would not fit. */
    private static final int PREFETCH = 2_000;

    private final BlockingQueue<Delivery> delivered = new LinkedBlockingQueue<>();
    private final RabbitBenchChannel link;
    private final String queue;
    private boolean consuming;

    RabbitAnswerPoller(String uri, String queue) {
        this.link = new RabbitBenchChannel(uri);
        this.queue = queue;
    }

    @Override
    public long count() {
        return link.execute(channel -> channel.messageCount(queue));
    }

    @Override
    public List<PolledAnswer> poll(Duration within) {
        consume();
        List<Delivery> batch = new ArrayList<>();
        link.execute(channel -> {
            Delivery first = delivered.poll(within.toNanos(), TimeUnit.NANOSECONDS);
            if (first != null) {
                batch.add(first);
                delivered.drainTo(batch);
                channel.basicAck(batch.get(batch.size() - 1).getEnvelope().getDeliveryTag(), true);
            }
            return null;
        });
        return batch.stream().map(RabbitAnswerPoller::toPolledAnswer).toList();
    }

    private void consume() {
        if (consuming) {
            return;
        }
        consuming = true;
        DeliverCallback deliver = (tag, delivery) -> delivered.add(delivery);
        CancelCallback cancel = tag -> {};
        link.execute(channel -> {
            channel.basicQos(PREFETCH);
            return channel.basicConsume(queue, false, deliver, cancel);
        });
    }

    private static PolledAnswer toPolledAnswer(Delivery delivery) {
        long due = (Long) delivery.getProperties().getHeaders().get(EnvelopeWriter.DUE);
        return new PolledAnswer(due, delivery.getBody());
    }

    @Override
    public void close() {
        link.close();
    }
}
