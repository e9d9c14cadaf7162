package io.iocluster.kafka.share;

import io.iocluster.kafka.config.DelayedTopics;
import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.kafka.config.ShareConsumerFactory;
import io.iocluster.kafka.config.ShareGroupRules;
import io.iocluster.kafka.ledger.PollThreadMailbox;
import io.iocluster.thread.LoopThread;
import io.iocluster.thread.Platform;
import io.iocluster.transport.outage.Backoff;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.ShareConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One member of the share group. Owns a thread, to which the consumer and its ledger are confined. It polls when all of
 * its records are acknowledged, because the client allows no earlier poll. While the source does not read, it leaves the
 * group as soon as its calls have ended, so that other nodes get its partitions.
 */
final class ShareMember {

    private static final Logger LOG = LoggerFactory.getLogger(ShareMember.class);
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration LEAVE_WITHIN = Duration.ofSeconds(2);
    private static final Duration RENEW_WITHIN = Duration.ofSeconds(5);
    private static final long PARK_NANOS = 10_000_000;
    /** A consumer without records is healthy if it has worked this long. */
    private static final long HEALTHY_AFTER_NANOS = Duration.ofSeconds(5).toNanos();

    private final int number;
    private final KafkaSettings settings;
    private final ShareConsumerFactory consumers;
    private final ShareGroupRules rules;
    private final ShareLoop loop;
    private final ShareLedger ledger;
    private final DelayedTopics delayed;
    private final PollThreadMailbox<ShareDelivery> mailbox = new PollThreadMailbox<>();
    private final AtomicInteger unsettled = new AtomicInteger();
    private final Backoff backoff;
    private final Platform platform;
    private final LoopThread thread;

    private volatile ShareConsumer<byte[], byte[]> consumer;
    private boolean fetching;
    private boolean failed;
    private long lastCommit;
    private long opened;
    /** Whether it waits after a failure, until {@link #backsOffUntil}. */
    private boolean backsOff;

    private long backsOffUntil;

    /** @param number distinguishes the members of this node */
    ShareMember(
            int number,
            KafkaSettings settings,
            ShareConsumerFactory consumers,
            ShareGroupRules rules,
            ShareLoop loop,
            Platform platform) {
        this.number = number;
        this.settings = settings;
        this.consumers = consumers;
        this.rules = rules;
        this.loop = loop;
        this.ledger = new ShareLedger(rules, platform);
        this.delayed = settings.delayedTopics();
        this.backoff = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(10), platform.random());
        this.platform = platform;
        this.thread = platform.newLoop("iocluster-kafka-share-" + number, this::run);
    }

    void start() {
        thread.start();
    }

    /** Waits for the end of the thread. Returns whether it has ended. */
    boolean join(Duration within) {
        return thread.join(within);
    }

    /** Interrupts the consumer, because closing takes too long. Any thread. */
    void wakeup() {
        ShareConsumer<?, ?> current = consumer;
        if (current != null) {
            current.wakeup();
        }
    }

    private long run() {
        if (loop.isEnding()) {
            close();
            return LoopThread.Task.END;
        }
        if (backsOff && platform.nanos() - backsOffUntil < 0) {
            settle();
            return PARK_NANOS;
        }
        backsOff = false;
        try {
            return step();
        } catch (Throwable failure) {
            if (!loop.isEnding()) {
                recover(failure);
            }
            return 0;
        }
    }

    /** Returns how long to wait before the next step, in nanoseconds. */
    private long step() {
        settle();
        loop.setRetrying(number, ledger.isRetrying());
        if (!loop.isReading() && ledger.giveBackRetries(consumer)) {
            commit();
        }
        if (!ledger.isEmpty()) {
            return maintain();
        }
        if (!loop.isReading()) {
            leave();
            return PARK_NANOS;
        }
        if (fetching || loop.mayPoll()) {
            poll();
            return 0;
        }
        // The next poll would send the acknowledgements, but may be a long time away.
        commit();
        return PARK_NANOS;
    }

    /**
     * Offers released records again, renews locks and sends acknowledgements while records are open. Returns how long to wait, until all
     * offered records are settled.
     */
    private long maintain() {
        long now = platform.nanos();
        if (loop.isReading()) {
            ledger.takeRetries(now).forEach(this::offer);
        }
        if (ledger.isRenewalDue(now)) {
            renew(now);
        }
        if (ledger.uncommitted() >= settings.commitBatchSize()
                || now - lastCommit >= settings.commitInterval().toNanos()) {
            commit();
        }
        return unsettled.get() > 0 || ledger.isRetrying() ? PARK_NANOS : 0;
    }

    private void poll() {
        open();
        ConsumerRecords<byte[], byte[]> records = consumers.poll(consumer, POLL);
        ledger.committed();
        fetching = records.isEmpty();
        add(records);
        if (failed && (!fetching || platform.nanos() - opened > HEALTHY_AFTER_NANOS)) {
            failed = false;
            backoff.reset();
            loop.memberRecovered();
        }
    }

    private void add(Iterable<ConsumerRecord<byte[], byte[]>> records) {
        long now = platform.nanos();
        lastCommit = now;
        for (ConsumerRecord<byte[], byte[]> message : records) {
            ShareDelivery delivery = new ShareDelivery(
                    message,
                    this::settled,
                    loop::recordDuplicateSettlement,
                    rules.deadLetterAt(),
                    ledger.lockEnd(now),
                    delayed.isDueTopic(message.topic()),
                    false,
                    platform);
            ledger.add(delivery, now);
            offer(delivery);
        }
    }

    private void offer(ShareDelivery delivery) {
        unsettled.incrementAndGet();
        loop.offerSoon(delivery);
    }

    /** Any thread. */
    private void settled(ShareDelivery delivery) {
        mailbox.post(delivery);
        if (unsettled.decrementAndGet() == 0) {
            thread.wake();
        }
    }

    private void settle() {
        long now = platform.nanos();
        for (ShareDelivery delivery = mailbox.poll(); delivery != null; delivery = mailbox.poll()) {
            ledger.settle(consumer, delivery, now);
        }
    }

    private void commit() {
        lastCommit = platform.nanos();
        if (ledger.uncommitted() > 0) {
            ledger.committed();
            consumer.commitAsync();
        }
    }

    /** Renews the locks. The consumer returns the renewed records; without a failure it returns no others. */
    private void renew(long now) {
        ledger.requestRenewal(consumer, now);
        ledger.committed();
        consumer.commitSync(RENEW_WITHIN);
        List<ConsumerRecord<byte[], byte[]>> fresh = ledger.renewed(consumers.poll(consumer, Duration.ZERO), now);
        fetching = false;
        add(fresh);
    }

    private void open() {
        if (consumer == null) {
            ShareConsumer<byte[], byte[]> created = consumers.open(number);
            consumer = created;
            opened = platform.nanos();
            created.setAcknowledgementCommitCallback(loop::acknowledged);
            created.subscribe(settings.consumedTopics());
        }
    }

    private void leave() {
        if (consumer != null) {
            close(LEAVE_WITHIN);
        }
    }

    private void recover(Throwable failure) {
        failed = true;
        loop.memberFailed(failure);
        int lost = ledger.clear();
        if (lost > 0) {
            LOG.warn("Consumer failed; its messages are delivered again member={} messages={}", number, lost);
        }
        leave();
        backsOff = true;
        backsOffUntil = platform.nanos() + backoff.nextDelayNanos();
    }

    /** Sends the last acknowledgements and leaves the group, which makes unsettled records available to others. */
    private void close() {
        if (consumer == null) {
            return;
        }
        long start = platform.nanos();
        Duration timeout = loop.closeTimeout();
        try {
            settle();
            ledger.giveBackRetries(consumer);
            consumer.commitSync(timeout.dividedBy(2));
        } catch (RuntimeException | Error e) {
            LOG.warn("Last acknowledgements failed; messages will be delivered again member={}", number, e);
        }
        ledger.logLastDeliveries();
        close(timeout.minusNanos(platform.nanos() - start));
    }

    private void close(Duration timeout) {
        ShareConsumer<?, ?> old = consumer;
        consumer = null;
        fetching = false;
        ledger.committed();
        try {
            old.close(timeout.isNegative() ? Duration.ZERO : timeout);
        } catch (RuntimeException | Error e) {
            LOG.debug("Consumer did not close cleanly member={}", number, e);
        }
    }
}
