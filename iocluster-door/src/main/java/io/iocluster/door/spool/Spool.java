package io.iocluster.door.spool;

import io.iocluster.door.call.CallResult.Failed;
import io.iocluster.door.call.CallResult.Reason;
import io.iocluster.door.call.Forwarder;
import io.iocluster.door.call.StoredCall;
import io.iocluster.door.call.StoredCallListener;
import io.iocluster.door.call.Submission;
import io.iocluster.door.call.Submission.Refused;
import io.iocluster.door.config.SpoolFullPolicy;
import io.iocluster.door.config.SpoolSettings;
import io.iocluster.door.spool.SpoolEntry.State;
import io.iocluster.door.spool.SpoolStore.UnknownWriteException;
import io.iocluster.thread.GuardedTask;
import io.iocluster.thread.LoopThread;
import io.iocluster.thread.Platform;
import io.iocluster.transport.outage.ProblemLog;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores calls and forwards them in their order. One thread owns the database and the index. It writes all calls that have arrived
 * meanwhile in one transaction, removes the confirmed ones in the same transaction, and then forwards. Thread-safe.
 */
final class Spool {

    private static final Logger LOG = LoggerFactory.getLogger(Spool.class);

    /** Maximum number of messages that one transaction handles. */
    private static final int MAX_MESSAGES = 1_000;
    /**
     * Number of bytes of envelopes from which on a transaction takes no more calls. Each envelope is on the heap several times until it is
     * written.
     */
    static final int MAX_TRANSACTION_BYTES = 1 << 20;
    /** Maximum number of calls that one transaction removes. More of them wait only after the disk was full. */
    private static final int MAX_REMOVED = 1_000;
    /** Interval of the checks for expired calls. */
    private static final long TICK_NANOS = 500_000_000;

    private static final long STOP_TICK_NANOS = 10_000_000;
    /** Time for the last write when the spool closes. */
    private static final Duration WRITE_WITHIN = Duration.ofSeconds(3);

    private final SpoolSettings settings;
    private final SpoolStore store;
    private final Queue<Message> mailbox = new ConcurrentLinkedQueue<>();
    private final ProblemLog problem;
    private final SpoolCounters counters = new SpoolCounters();
    private final SpoolIndex index = new SpoolIndex();
    private final BacklogLog backlog;
    private final Platform platform;
    private final GuardedTask turn;
    private final LoopThread thread;

    /** Calls to remove from the database with the next write. */
    private final List<SpoolEntry> done = new ArrayList<>();

    private long nextPosition = 1;
    /** Size of the largest call that could not be written; 0 if such a call fits again. */
    private volatile long refusedBytes;

    private StoredCallListener listener;
    private SpoolForwarder forwarding;
    private volatile SpoolStatus status;
    /** When the spool's thread ends, whether or not the forwarded calls are confirmed. */
    private volatile long stopNanos;

    private volatile boolean stopping;
    private volatile boolean closed;

    /** A message to the spool's thread. */
    private sealed interface Message {}

    private record Store(StoredCall call, CompletableFuture<Submission> submission) implements Message {}

    private record Published(SpoolEntry entry, Forwarder.Publication publication) implements Message {}

    /** A call that is written now. */
    private record Addition(SpoolEntry entry, CompletableFuture<Submission> submission) {}

    /**
     * Reads the calls of an earlier process.
     *
     * @param store closed with the spool, also if this fails
     * @throws SpoolException if a call cannot be read
     */
    Spool(SpoolSettings settings, SpoolStore store, Platform platform) throws SpoolException {
        this.platform = platform;
        this.problem = new ProblemLog(LOG, null, platform);
        this.backlog = new BacklogLog(LOG, platform);
        this.turn = new GuardedTask("spool", this::runOnce, platform);
        this.thread = platform.newLoop("iocluster-door-spool", this::run);
        this.settings = settings;
        this.store = store;
        try {
            store.forEach(this::recover);
        } catch (SpoolException damaged) {
            store.close();
            throw damaged;
        }
        this.status = counters.status(index, platform.wallMillis());
    }

    /**
     * Opens the spool of the settings.
     *
     * @throws SpoolException if it cannot be used
     */
    static Spool open(SpoolSettings settings, Platform platform) throws SpoolException {
        // SQLite merges pages that are less than a third full. So calls that expire between others leave up to two
        // thirds unused.
        long maxFile = settings.maxBytes().bytes() * 3 + (1 << 20);
        return new Spool(settings, SpoolDatabase.open(Path.of(settings.folder()), settings.key(), maxFile), platform);
    }

    private void recover(long position, byte[] record) throws IOException {
        SpoolEntry entry = new SpoolEntry(position, RecordCodec.decode(record), record.length);
        entry.mayBeForwarded = true;
        index.add(entry);
        nextPosition = position + 1;
    }

    /** Starts to forward. Must be called once. */
    void start(StoredCallListener results, Forwarder forwarder) {
        listener = results;
        forwarding = new SpoolForwarder(store, index, counters, forwarder, results, this::published, platform);
        index.all().forEach(entry -> results.recovered(entry.app, entry.id));
        if (index.stored() > 0) {
            LOG.info("Calls of an earlier process are in the spool calls={} bytes={}", index.stored(), index.bytes());
        }
        thread.start();
    }

    /** Stores a call. Completes when it is durable, or refused. */
    CompletionStage<Submission> store(StoredCall call) {
        CompletableFuture<Submission> submission = new CompletableFuture<>();
        send(new Store(call, submission));
        if (closed) {
            refuseAll();
        }
        return submission;
    }

    private void published(SpoolEntry entry, Forwarder.Publication publication) {
        send(new Published(entry, publication));
    }

    private void send(Message message) {
        mailbox.add(message);
        thread.wake();
    }

    /** Runs one turn. Returns the wait before the next one. */
    private long run() {
        turn.run();
        if (!stopping || (index.forwarding() > 0 && platform.nanos() - stopNanos < 0)) {
            return mailbox.isEmpty() && !removesMore() ? stopping ? STOP_TICK_NANOS : TICK_NANOS : 0;
        }
        turn.run();
        while (removesMore()) {
            turn.run();
        }
        closed = true;
        store.close();
        refuseAll();
        return LoopThread.Task.END;
    }

    private void runOnce() {
        List<Store> arrived = new ArrayList<>();
        for (Message message : take()) {
            if (message instanceof Store each) {
                arrived.add(each);
            } else if (message instanceof Published published) {
                forwarding.published(published.entry(), published.publication(), done);
            }
        }
        try {
            expire();
            write(arrived);
        } finally {
            // Only those that a defect has left without a result.
            arrived.forEach(
                    each -> each.submission().complete(refused("a defect in the door; its log has the details")));
        }
        if (!stopping) {
            // While nothing can be removed, confirmed calls do not count. Otherwise the door would stop forwarding.
            // After a kill it then forwards all of them again.
            forwarding.forward(done, problem.problem() == null ? done.size() : 0);
        }
        status = counters.status(index, platform.wallMillis());
        backlog.update(status);
    }

    /** Takes the messages of one transaction. */
    private List<Message> take() {
        List<Message> messages = new ArrayList<>();
        long bytes = 0;
        while (messages.size() < MAX_MESSAGES && bytes < MAX_TRANSACTION_BYTES) {
            Message next = mailbox.poll();
            if (next == null) {
                break;
            }
            messages.add(next);
            bytes += next instanceof Store each ? each.call().envelope().length : 0;
        }
        return messages;
    }

    private boolean removesMore() {
        return !done.isEmpty() && problem.problem() == null;
    }

    private void expire() {
        for (SpoolEntry entry : index.expired(platform.wallMillis())) {
            finish(entry);
            counters.expired++;
            end(entry, Reason.EXPIRED, "the deadline passed before the broker accepted the call");
        }
    }

    private void finish(SpoolEntry entry) {
        index.move(entry, State.DONE);
        done.add(entry);
    }

    private void end(SpoolEntry entry, Reason reason, String message) {
        listener.ended(entry.app, entry.id, new Failed(reason, message));
    }

    /** Writes the calls that have arrived and fit, and removes those that are done. */
    private void write(List<Store> arrived) {
        List<Addition> added = new ArrayList<>();
        List<SpoolStore.NewRecord> records = new ArrayList<>();
        List<SpoolEntry> dropped = new ArrayList<>();
        long newBytes = 0;
        for (Store each : arrived) {
            // Encodes only the calls of this transaction, because those that wait for the disk must not be on the heap
            // twice.
            byte[] record = RecordCodec.encode(each.call());
            SpoolEntry entry = new SpoolEntry(nextPosition, each.call(), record.length);
            if (stopping) {
                each.submission().complete(refused("the door stops"));
            } else if (makeRoom(entry.bytes + newBytes, added.size() + 1, dropped)) {
                newBytes += entry.bytes;
                added.add(new Addition(entry, each.submission()));
                records.add(store.seal(nextPosition, record));
                nextPosition++;
            } else {
                counters.refused++;
                each.submission().complete(new Refused(full()));
            }
        }
        if (records.isEmpty() && done.isEmpty() && dropped.isEmpty()) {
            if (problem() != null) {
                tryRoom();
            }
            return;
        }
        List<SpoolEntry> removed = new ArrayList<>(done.subList(0, Math.min(MAX_REMOVED, done.size())));
        removed.addAll(dropped);
        try {
            store.write(removed, records);
        } catch (IOException failed) {
            notWritten(added, dropped, failed);
            return;
        }
        written(added, removed, dropped);
    }

    /** After a failed write, the door is ready again when a call as large as the largest of that write fits. */
    private void tryRoom() {
        try {
            store.tryRoom(refusedBytes);
        } catch (IOException notYet) {
            LOG.debug("A call as large as the refused one still cannot be stored bytes={}", refusedBytes, notYet);
            return;
        }
        refusedBytes = 0;
        problem.clear();
    }

    /** Returns whether this number of bytes and calls fits, after dropping calls if the settings say so. */
    private boolean makeRoom(long newBytes, int newCalls, List<SpoolEntry> dropped) {
        long maxBytes = settings.maxBytes().bytes();
        int waiting = counters.waiting.get();
        boolean drops = settings.whenFull() == SpoolFullPolicy.DROP_OLDEST
                && index.forwardingBytes() + newBytes <= maxBytes
                && waiting + newCalls <= settings.maxCalls();
        while (index.bytes() + newBytes > maxBytes || index.stored() + waiting + newCalls > settings.maxCalls()) {
            SpoolEntry oldest = drops ? index.nextStored() : null;
            if (oldest == null) {
                return false;
            }
            index.move(oldest, State.DONE);
            dropped.add(oldest);
        }
        return true;
    }

    private static Refused refused(String reason) {
        return new Refused(new Failed(Reason.UNAVAILABLE, "the call was not stored and not made: " + reason));
    }

    /** The write may have reached the disk, so that a restarted door finds the call. */
    private static Refused unknown(String reason) {
        return new Refused(new Failed(
                Reason.UNAVAILABLE, "it is unknown whether the call was stored, and it may be made: " + reason));
    }

    private Failed full() {
        return new Failed(
                Reason.SPOOL_FULL,
                "the spool is full: too many calls wait for the broker or for their answers; raise door.spool.max-bytes"
                        + " and door.spool.max-calls, or try again later");
    }

    private void written(List<Addition> added, List<SpoolEntry> removed, List<SpoolEntry> dropped) {
        problem.clear();
        if (!added.isEmpty()) {
            refusedBytes = 0;
        } else if (refusedBytes > 0) {
            tryRoom();
        }
        index.removeAll(removed);
        done.subList(0, removed.size() - dropped.size()).clear();
        for (SpoolEntry entry : dropped) {
            counters.dropped++;
            end(entry, Reason.DROPPED, "the spool was full; the call was dropped" + sent(entry));
        }
        for (Addition each : added) {
            index.add(each.entry());
            counters.accepted++;
        }
        status = counters.status(index, platform.wallMillis());
        added.forEach(each -> each.submission().complete(new Submission.Stored()));
    }

    private static String sent(SpoolEntry entry) {
        return entry.mayBeForwarded ? "; the target may have received it" : " and not made";
    }

    private void notWritten(List<Addition> added, List<SpoolEntry> dropped, IOException failed) {
        problem.raise("The spool cannot be written in " + settings.folder(), failed);
        dropped.forEach(entry -> index.move(entry, State.STORED));
        refusedBytes = added.stream().mapToLong(each -> each.entry().bytes).reduce(refusedBytes, Math::max);
        for (Addition each : added) {
            counters.failed++;
            each.submission()
                    .complete(
                            failed instanceof UnknownWriteException
                                    ? unknown(failed.getMessage())
                                    : refused(failed.getMessage()));
        }
        if (index.stored() + index.forwarding() == 0 && !done.isEmpty()) {
            recreate();
        }
    }

    /** Replaces a database whose calls are all done, because that needs no space on a full disk. */
    private void recreate() {
        try {
            store.recreate();
        } catch (IOException notYet) {
            LOG.debug("The database of the spool cannot be replaced; retrying", notYet);
            return;
        }
        LOG.info(
                "Database of the spool replaced, because its calls are done but could not be removed calls={}",
                done.size());
        index.removeAll(done);
        done.clear();
        refusedBytes = 0;
        problem.clear();
    }

    /** Returns why the spool cannot store calls, without its path, because everyone may read it; null if it can. */
    String problem() {
        return problem.problem() == null && refusedBytes == 0
                ? null
                : "the spool cannot be written; the log of the door has the details";
    }

    SpoolStatus status() {
        return status;
    }

    /** Accepts and forwards no further calls. Waits at most this long for the confirmations of the forwarded calls. */
    void close(Duration timeout) {
        stopNanos = platform.nanos() + timeout.toNanos();
        stopping = true;
        if (listener == null) {
            store.close();
            return;
        }
        if (!thread.join(timeout.plus(WRITE_WITHIN))) {
            LOG.warn("Spool did not stop in time");
        }
    }

    private void refuseAll() {
        for (Message message = mailbox.poll(); message != null; message = mailbox.poll()) {
            if (message instanceof Store each) {
                each.submission().complete(refused("the door stops"));
            }
        }
    }
}
