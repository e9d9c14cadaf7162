package io.iocluster.rabbit;

import io.iocluster.transport.Delivery;
import io.iocluster.transport.Intake;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Takes deliveries up to a limit, remembers them, and does with each what the test says. */
final class TakingIntake implements Intake {

    final List<Delivery> taken = new CopyOnWriteArrayList<>();
    volatile int limit = Integer.MAX_VALUE;
    volatile Consumer<Delivery> then;

    TakingIntake(Consumer<Delivery> then) {
        this.then = then;
    }

    @Override
    public boolean offer(Delivery delivery) {
        if (taken.size() >= limit) {
            return false;
        }
        taken.add(delivery);
        then.accept(delivery);
        return true;
    }

    List<String> payloads() {
        return taken.stream().map(TakingIntake::text).toList();
    }

    static String text(Delivery delivery) {
        return new String(delivery.payload(), java.nio.charset.StandardCharsets.UTF_8);
    }
}
