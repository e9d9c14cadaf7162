package io.iocluster.testkit.contract;

import io.iocluster.transport.Delivery;
import io.iocluster.transport.Intake;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Takes deliveries up to a limit, remembers them, and does with each what the test says. Offered to on the source's thread, read
 * and changed on any.
 */
public final class RecordingIntake implements Intake {

    /** All that was taken, in its order. */
    public final List<Delivery> taken = new CopyOnWriteArrayList<>();

    /** So many are taken, and the next is refused. */
    public volatile int limit = Integer.MAX_VALUE;

    /** What is done with the next that is taken, on the source's thread. */
    public volatile Consumer<Delivery> then;

    /** Without a limit. */
    public RecordingIntake(Consumer<Delivery> then) {
        this.then = then;
    }

    @Override
    public boolean offer(Delivery delivery) {
        if (taken.size() >= limit) {
            return false;
        }
        delivery.claim();
        taken.add(delivery);
        then.accept(delivery);
        return true;
    }

    /** The text of each that was taken, in its order. */
    public List<String> receivedPayloads() {
        return taken.stream().map(RecordingIntake::text).toList();
    }

    /** The payload as UTF-8. */
    public static String text(Delivery delivery) {
        return new String(delivery.payload(), StandardCharsets.UTF_8);
    }
}
