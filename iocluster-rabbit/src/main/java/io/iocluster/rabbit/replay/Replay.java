package io.iocluster.rabbit.replay;

import com.rabbitmq.client.Connection;
import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.thread.Platform;
import io.iocluster.transport.deadletter.DeadLetter;
import io.iocluster.transport.deadletter.ReplayPacer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * One replay. For each batch of dead letters, in this order:
 *
 * <ol>
 *   <li>stages the requests
 *   <li>records the batch in the ledger: from here on it counts as replayed
 *   <li>releases the requests to the request queue
 *   <li>removes the dead letters
 * </ol>
 *
 * <p>A later replay completes what a killed one left: it releases recorded requests, removes recorded dead letters, and releases an
 * unrecorded request together with its dead letter. Records are deleted once it is certain that their dead letters are removed.
 * Confined to one thread; methods block.
 */
final class Replay implements AutoCloseable {

    private static final long MAX_BATCH_BYTES = 8 << 20;
    /** Less than the broker's {@code consumer_timeout} (30 minutes by default), after which it redelivers unacknowledged messages. */
    private static final Duration MAX_PASS = Duration.ofMinutes(10);

    private static final long CONSUMER_WAIT_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(100);

    private final Connection connection;
    private final RabbitSettings settings;
    private final Predicate<DeadLetter> selected;
    private final ReplayPacer pacer;
    private final Platform platform;
    private final ReplayLedger ledger;
    private final StagingQueue staging;
    /** The ids of dead letters that the selection has excluded. Each dead letter is tested only once. */
    private final Set<String> declined = new HashSet<>();

    private final List<Letter> batch = new ArrayList<>();
    private long batchBytes;
    private final List<Letter> interrupted = new ArrayList<>();
    private final List<Message> interruptedRequests = new ArrayList<>();
    private long published;

    Replay(
            Connection connection,
            RabbitSettings settings,
            Predicate<DeadLetter> selected,
            ReplayPacer pacer,
            Platform platform)
            throws IOException, InterruptedException {
        this.connection = connection;
        this.settings = settings;
        this.selected = selected;
        this.pacer = pacer;
        this.platform = platform;
        ReplayQueues queues = new ReplayQueues(settings.deadLetters().queue());
        queues.declareAndLock(connection, platform);
        this.ledger = new ReplayLedger(connection, queues, settings.confirmTimeout(), platform);
        this.staging =
                new StagingQueue(connection, queues, settings.requests().queue(), settings.confirmTimeout(), platform);
    }

    /** Runs the replay and returns the number of requests that it put on the request queue. */
    long run() throws IOException, InterruptedException {
        published += staging.recover(ledger);
        long unread = -1;
        do {
            try (LetterPass letters = new LetterPass(connection, settings, platform)) {
                requireSoleConsumer(letters);
                if (unread < 0) {
                    unread = letters.countReady();
                }
                letters.limit(unread);
                boolean complete = run(letters);
                boolean settled = letters.settle();
                unread = complete ? 0 : unread - letters.removed();
                if (complete) {
                    staging.dropUnrecorded();
                    // First, because a request that returns to staging without a record would be dropped.
                    staging.settle();
                    if (settled) {
                        ledger.clear();
                    }
                } else if (!settled) {
                    throw new IOException("queue " + settings.deadLetters().queue()
                            + ": another consumer reads it; stop it and run the command again");
                }
            }
        } while (unread > 0);
        return published;
    }

    /** Other consumers would hold dead letters that this replay then does not see. */
    private void requireSoleConsumer(LetterPass letters) throws IOException, InterruptedException {
        long end = platform.nanos() + CONSUMER_WAIT_NANOS;
        int others = letters.countConsumers();
        while (others > 0 && platform.nanos() < end) {
            // The broker may still have to notice that the connection of a killed command is closed.
            platform.sleep(POLL_INTERVAL);
            others = letters.countConsumers();
        }
        if (others > 0) {
            throw new IOException("queue " + settings.deadLetters().queue() + ": has " + others
                    + " other consumers; stop them, because they take dead letters");
        }
    }

    /** Returns whether the pass reached the end. */
    private boolean run(LetterPass letters) throws IOException, InterruptedException {
        long end = platform.nanos() + MAX_PASS.toNanos();
        List<Letter> window = letters.next();
        while (!window.isEmpty()) {
            for (Letter letter : window) {
                if (platform.nanos() > end) {
                    publish(letters);
                    return false;
                }
                place(letter, letters);
            }
            complete(letters);
            window = letters.next();
        }
        publish(letters);
        return true;
    }

    private void place(Letter letter, LetterPass letters) throws IOException, InterruptedException {
        if (ledger.take(letter)) {
            letters.remove(letter);
            return;
        }
        Message request = staging.takeUnrecorded(letter);
        if (request != null) {
            interrupted.add(letter);
            interruptedRequests.add(request);
        } else if (letter.content() != null
                && !declined.contains(letter.id())
                && selected.test(letter.content())
                && letter.content().obstacle() == null) {
            batch.add(letter);
            batchBytes += letter.message().body().length;
            if (batch.size() >= pacer.batch() || batchBytes >= MAX_BATCH_BYTES) {
                publish(letters);
            }
        } else {
            declined.add(letter.id());
            letters.keep(letter);
        }
    }

    /** Completes the replay of dead letters that a killed replay had staged and not recorded. */
    private void complete(LetterPass letters) throws IOException, InterruptedException {
        if (!interrupted.isEmpty()) {
            ledger.record(platform.uniqueId().toString(), interrupted);
            for (Message request : interruptedRequests) {
                staging.release(request);
            }
            removeReplayed(interrupted, letters);
            interruptedRequests.clear();
        }
    }

    private void publish(LetterPass letters) throws IOException, InterruptedException {
        complete(letters);
        if (!batch.isEmpty()) {
            String id = platform.uniqueId().toString();
            staging.stage(id, batch);
            ledger.record(id, batch);
            staging.release(id, batch.size());
            removeReplayed(batch, letters);
            batchBytes = 0;
        }
    }

    private void removeReplayed(List<Letter> replayed, LetterPass letters) throws IOException, InterruptedException {
        for (Letter letter : replayed) {
            letters.remove(letter);
        }
        int count = replayed.size();
        published += count;
        replayed.clear();
        pacer.sent(count);
    }

    @Override
    public void close() {
        staging.close();
        ledger.close();
    }
}
