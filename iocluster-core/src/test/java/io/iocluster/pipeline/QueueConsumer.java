package io.iocluster.pipeline;

import io.iocluster.thread.DaemonThreadFactory;
import java.util.concurrent.BlockingQueue;
import java.util.function.Consumer;

/** Passes the elements of a queue to a consumer, on its own thread. Thread-safe. */
public final class QueueConsumer implements AutoCloseable {

    private final Thread thread;

    private QueueConsumer(Thread thread) {
        this.thread = thread;
    }

    public static <T> QueueConsumer start(BlockingQueue<T> queue, Consumer<T> consumer) {
        Thread thread = DaemonThreadFactory.newThread("queue-consumer", () -> {
            try {
                while (true) {
                    consumer.accept(queue.take());
                }
            } catch (InterruptedException closed) {
                Thread.currentThread().interrupt();
            }
        });
        thread.start();
        return new QueueConsumer(thread);
    }

    /** Waits until the consumer has returned for the last time. */
    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
