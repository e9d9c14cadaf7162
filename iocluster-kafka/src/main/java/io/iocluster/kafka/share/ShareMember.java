package io.iocluster.kafka.share;

import io.iocluster.kafka.config.DelayedTopics;
import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.kafka.config.ShareConsumerFactory;
import io.iocluster.kafka.config.ShareGroupRules;
import io.iocluster.kafka.ledger.PollThreadMailbox;
import io.iocluster.thread.DaemonThreadFactory;
import io.iocluster.transport.outage.Backoff;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
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
final class ShareMember implements Runnable {

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
    private final Backoff backoff = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(10));
    private final Thread thread;

    private volatile ShareConsumer<byte[], byte[]> consumer;
    private boolean fetching;
    private boolean failed;
    private long lastCommit;
    private long opened;

    /** @param number distinguishes the members of this node */
    ShareMember(
            int number, KafkaSettings settings, ShareConsumerFactory consumers, ShareGroupRules rules, ShareLoop loop) {
        this.number = number;
        this.settings = settings;
        this.consumers = consumers;
        this.rules = rules;
        this.loop = loop;
        this.ledger = new ShareLedger(rules);
        this.delayed = settings.delayedTopics();
        this.thread = DaemonThreadFactory.newThread("iocluster-kafka-share-" + number, this);
    }

    void start() {
        thread.start();
    }

    /** Waits for the end of the thread. Returns whether it has ended. */
    boolean join(long nanos) throws InterruptedException {
        thread.join(Math.max(1, nanos / 1_000_000));
        return !thread.isAlive();
    }

    /** Interrupts the consumer, because closing takes too long. Any thread. */
    void wakeup() {
        ShareConsumer<?, ?> current = consumer;
        if (current != null) {
            current.wakeup();
        }
    }

    @Override
    public void run() {
        while (!loop.isEnding()) {
            try {
                step();
            } catch (Throwable failure) {
                if (!loop.isEnding()) {
                    recover(failure);
                }
            }
        }
        close();
    }

    private void step() {
        settle();
        loop.setRetrying(number, ledger.isRetrying());
        if (!loop.isReading() && ledger.giveBackRetries(consumer)) {
            commit();
        }
        if (!ledger.isEmpty()) {
            maintain();
        } else if (!loop.isReading()) {
            leave();
            park();
        } else if (fetching || loop.hasRoom()) {
            poll();
        } else {
            // The next poll would send the acknowledgements, but may be a long time away.
            commit();
            park();
        }
    }

    /** Offers released records again, renews locks and sends acknowledgements while records are open. */
    private void maintain() {
        long now = System.nanoTime();
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
        park();
    }

    /** Waits until all offered records are settled, at most {@link #PARK_NANOS}. */
    private void park() {
        if (ledger.isEmpty() || unsettled.get() > 0 || ledger.isRetrying()) {
            LockSupport.parkNanos(this, PARK_NANOS);
        }
    }

    private void poll() {
        open();
        ConsumerRecords<byte[], byte[]> records = consumers.poll(consumer, POLL);
        ledger.committed();
        fetching = records.isEmpty();
        add(records);
        if (failed && (!fetching || System.nanoTime() - opened > HEALTHY_AFTER_NANOS)) {
            failed = false;
            backoff.reset();
            loop.memberRecovered();
        }
    }

    private void add(Iterable<ConsumerRecord<byte[], byte[]>> records) {
        long now = System.nanoTime();
        lastCommit = now;
        for (ConsumerRecord<byte[], byte[]> message : records) {
            ShareDelivery delivery = new ShareDelivery(
                    message,
                    this::settled,
                    loop::recordDuplicateSettlement,
                    rules.deadLetterAt(),
                    ledger.lockEnd(now),
                    delayed.isDueTopic(message.topic()),
                    false);
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
            LockSupport.unpark(thread);
        }
    }

    private void settle() {
        long now = System.nanoTime();
        for (ShareDelivery delivery = mailbox.poll(); delivery != null; delivery = mailbox.poll()) {
            ledger.settle(consumer, delivery, now);
        }
    }

    private void commit() {
        lastCommit = System.nanoTime();
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
            opened = System.nanoTime();
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
        long until = System.nanoTime() + backoff.nextDelayNanos();
        while (!loop.isEnding() && System.nanoTime() - until < 0) {
            settle();
            LockSupport.parkNanos(this, PARK_NANOS);
        }
    }

    /** Sends the last acknowledgements and leaves the group, which makes unsettled records available to others. */
    private void close() {
        if (consumer == null) {
            return;
        }
        long start = System.nanoTime();
        Duration timeout = loop.closeTimeout();
        try {
            settle();
            ledger.giveBackRetries(consumer);
            consumer.commitSync(timeout.dividedBy(2));
        } catch (RuntimeException | Error e) {
            LOG.warn("Last acknowledgements failed; messages will be delivered again member={}", number, e);
        }
        ledger.logLastDeliveries();
        close(timeout.minusNanos(System.nanoTime() - start));
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
