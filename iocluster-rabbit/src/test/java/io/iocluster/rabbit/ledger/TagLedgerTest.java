package io.iocluster.rabbit.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class TagLedgerTest {

    private static final long MAX_DELAY = 10;

    private final TagLedger ledger = new TagLedger();
    private final FakeBroker broker = new FakeBroker();
    private final List<Tag> tags = new ArrayList<>();

    @Test
    void acknowledgesAContiguousRunOnce() throws Exception {
        deliver(5);
        done(0, 2, 1, 0);

        ledger.acknowledge(0, MAX_DELAY, broker);

        assertThat(broker.received).containsExactly("ack 3 and below");
        assertThat(ledger.size()).isEqualTo(2);
        assertThat(ledger.first()).isSameAs(tags.get(3));
    }

    @Test
    void acknowledgesASingleDeliveryWithoutMultiple() throws Exception {
        deliver(1);
        done(0, 0);

        ledger.acknowledge(0, MAX_DELAY, broker);

        assertThat(broker.received).containsExactly("ack 1");
    }

    @Test
    void neverAcknowledgesAnOpenDelivery() throws Exception {
        deliver(4);
        done(0, 1, 2, 3);

        ledger.acknowledge(MAX_DELAY - 1, MAX_DELAY, broker);

        assertThat(broker.received).isEmpty();
        assertThat(ledger.pendingAcks()).isEqualTo(3);
    }

    @Test
    void acknowledgesADeliveryAboveAnOpenOneAloneAfterTheDelay() throws Exception {
        deliver(5);
        done(0, 2, 4);
        done(5, 3);

        ledger.acknowledge(MAX_DELAY, MAX_DELAY, broker);

        assertThat(broker.received).containsExactly("ack 3", "ack 5");
        assertThat(ledger.pendingAcks()).isEqualTo(1);
        assertThat(ledger.oldestPendingAckNanos()).isEqualTo(5);
    }

    @Test
    void endsARunAtTheHighestUnacknowledgedTag() throws Exception {
        deliver(4);
        done(0, 2, 3);
        ledger.acknowledge(MAX_DELAY, MAX_DELAY, broker);
        done(MAX_DELAY, 0, 1);
        broker.received.clear();

        ledger.acknowledge(MAX_DELAY, MAX_DELAY, broker);

        assertThat(broker.received).containsExactly("ack 2 and below");
        assertThat(ledger.size()).isZero();
        assertThat(ledger.first()).isNull();
    }

    @Test
    void skipsRequeuedDeliveriesInARun() throws Exception {
        deliver(3);
        ledger.requeue(tags.get(1), broker);
        done(0, 0, 2);

        ledger.acknowledge(0, MAX_DELAY, broker);

        assertThat(broker.received).containsExactly("requeue 2", "ack 3 and below");
    }

    @Test
    void acknowledgesAReplacementUnderTheSameTag() throws Exception {
        deliver(3);
        for (int index : new int[] {0, 1, 2}) {
            Tag replacement = new Tag(index + 1L);
            ledger.replace(tags.get(index), replacement);
            ledger.requeue(tags.get(index), broker);
            tags.set(index, replacement);
        }
        assertThat(ledger.first()).isSameAs(tags.get(0));
        done(0, 0, 1, 2);

        ledger.acknowledge(0, MAX_DELAY, broker);

        assertThat(broker.received).containsExactly("ack 3 and below");
        assertThat(ledger.size()).isZero();
    }

    @Test
    void settlesADeliveryOnce() throws Exception {
        deliver(2);
        done(0, 0);
        done(1, 0);
        ledger.acknowledge(0, MAX_DELAY, broker);
        done(2, 0);
        ledger.requeue(tags.get(0), broker);

        ledger.acknowledge(0, 0, broker);

        assertThat(broker.received).containsExactly("ack 1");
        assertThat(ledger.pendingAcks()).isZero();
        assertThat(ledger.size()).isEqualTo(1);
    }

    @Test
    void doesNotAcknowledgeWithMultipleAcrossAMissingTag() throws Exception {
        deliver(2);
        Tag jumped = new Tag(4);
        tags.add(jumped);
        broker.outstanding.add(4L);
        ledger.add(jumped);
        done(0, 0, 1, 2);

        ledger.acknowledge(0, 0, broker);

        assertThat(broker.received).containsExactly("ack 1", "ack 2", "ack 4");
    }

    @Test
    void settlesEachDeliveryOnceInAnyOrder() throws Exception {
        Random random = new Random(11);
        deliver(2_000);
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            order.add(i - random.nextInt(Math.min(i, 40) + 1), i);
        }

        for (int step = 0; step < order.size(); step++) {
            int index = order.get(step);
            if (random.nextInt(50) == 0) {
                ledger.requeue(tags.get(index), broker);
            } else {
                ledger.markDone(tags.get(index), step);
            }
            if (random.nextInt(5) == 0) {
                ledger.acknowledge(step, MAX_DELAY, broker);
            }
        }
        ledger.acknowledge(order.size(), 0, broker);

        assertThat(ledger.size()).isZero();
        assertThat(ledger.pendingAcks()).isZero();
        assertThat(broker.outstanding).isEmpty();
    }

    private void deliver(int count) {
        for (int i = 0; i < count; i++) {
            Tag tag = new Tag(tags.size() + 1L);
            tags.add(tag);
            broker.outstanding.add(tag.tag());
            ledger.add(tag);
        }
    }

    private void done(long now, int... indexes) {
        for (int index : indexes) {
            ledger.markDone(tags.get(index), now);
        }
    }

    private static final class Tag extends TagLedger.TagEntry {

        Tag(long tag) {
            super(tag);
        }
    }

    /** Fails on an unknown tag like RabbitMQ, also on one at the end of a run. */
    private static final class FakeBroker implements TagLedger.AckChannel {

        final List<String> received = new ArrayList<>();
        final TreeSet<Long> outstanding = new TreeSet<>();

        @Override
        public void acknowledge(long tag, boolean multiple) throws IOException {
            received.add("ack " + tag + (multiple ? " and below" : ""));
            remove(tag);
            if (multiple) {
                outstanding.headSet(tag).clear();
            }
        }

        @Override
        public void requeue(long tag) throws IOException {
            received.add("requeue " + tag);
            remove(tag);
        }

        private void remove(long tag) throws IOException {
            if (!outstanding.remove(tag)) {
                throw new IOException("unknown delivery tag " + tag);
            }
        }
    }
}
