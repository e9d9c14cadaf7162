package io.iocluster.testkit.contract;

import io.iocluster.transport.Delivery;
import io.iocluster.transport.Intake;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Accepts deliveries up to a limit, records them and runs an action on each. {@link #offer} runs on the source's
 * thread; any thread may read and change the fields.
 */
public final class RecordingIntake implements Intake {

    /** All accepted deliveries, in order. */
    public final List<Delivery> accepted = new CopyOnWriteArrayList<>();

    /** Maximum number of accepted deliveries; the next one is refused. */
    public volatile int limit = Integer.MAX_VALUE;

    /** The action for each further accepted delivery, on the source's thread. */
    public volatile Consumer<Delivery> onAccept;

    /** Creates an intake without a limit. */
    public RecordingIntake(Consumer<Delivery> onAccept) {
        this.onAccept = onAccept;
    }

    /** Creates an intake without a limit that acknowledges each delivery. */
    public static RecordingIntake acknowledging() {
        return new RecordingIntake(delivery -> delivery.settlement().acknowledge());
    }

    @Override
    public boolean offer(Delivery delivery) {
        if (accepted.size() >= limit) {
            return false;
        }
        delivery.claim();
        accepted.add(delivery);
        onAccept.accept(delivery);
        return true;
    }

    /** Returns the payloads of all accepted deliveries as text, in order. */
    public List<String> acceptedPayloads() {
        return accepted.stream().map(RecordingIntake::text).toList();
    }

    /** Returns the payload as UTF-8 text. */
    public static String text(Delivery delivery) {
        return new String(delivery.payload(), StandardCharsets.UTF_8);
    }
}
