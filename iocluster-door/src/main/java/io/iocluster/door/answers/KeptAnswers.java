package io.iocluster.door.answers;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.door.access.FairLimit;
import io.iocluster.door.call.CallResult;
import io.iocluster.door.call.CallResult.Answered;
import io.iocluster.door.config.KeptAnswerSettings;
import io.iocluster.thread.NodeClock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/**
 * Keeps the results of asynchronous calls, and numbers them in the order in which the calls end. Their age, number and bytes are bounded.
 * Open calls are not counted here, because the door limits them. Thread-safe.
 */
public final class KeptAnswers {

    /** Bytes of the objects that keep one answer. */
    private static final int OVERHEAD = 400;

    private final NodeClock clock;
    private final FairLimit streams;
    private final FairLimit waiting;

    @GuardedBy("this")
    private KeptAnswerSettings settings;

    @GuardedBy("this")
    private final Map<Key, KeptCall> calls = new HashMap<>();

    /** The ended calls by number, oldest first. */
    @GuardedBy("this")
    private final TreeMap<Long, KeptCall> ended = new TreeMap<>();

    @GuardedBy("this")
    private final Map<String, AppAnswers> apps = new HashMap<>();

    /** The apps with ended calls. The one that uses most is last. */
    @GuardedBy("this")
    private final TreeSet<AppAnswers> byUse = new TreeSet<>(
            Comparator.comparingDouble((AppAnswers app) -> app.use).thenComparing(app -> app.name));

    @GuardedBy("this")
    private long bytes;

    /** Starts with the time, so that the numbers of an earlier process are smaller. */
    @GuardedBy("this")
    private long lastNumber;

    /** The last number that may belong to a removed answer of an app without an entry in {@link #apps}. */
    @GuardedBy("this")
    private long forgottenUpTo;

    private record Key(String app, String id) {}

    /**
     * An ended call.
     *
     * @param number larger than the numbers of the calls that ended before
     */
    public record Ended(long number, String id, CallResult result) {}

    /** A registered call. Guarded by the lock of the outer object. */
    private static final class KeptCall {
        private final Key key;
        /** The callers that wait for the end. The end of a wait removes it, because callers may ask often for a call that is open for long. */
        private final Set<CompletableFuture<Ended>> waiting = new HashSet<>();

        private Ended end;
        private long endedNanos;

        KeptCall(Key key) {
            this.key = key;
        }

        long bytes() {
            long size = OVERHEAD + 2L * key.id().length();
            return end.result() instanceof Answered answered ? size + answered.answer().length : size;
        }
    }

    /** The ended calls of one app and the streams that wait for further ones. Guarded by the lock of the outer object. */
    private static final class AppAnswers {
        private final String name;
        private final TreeMap<Long, Ended> ended = new TreeMap<>();
        private final List<Runnable> listeners = new ArrayList<>();
        private long removedUpTo;
        private long bytes;
        /** The share of the limits that the app uses: of number or bytes, the larger one. Changes only outside of {@link #byUse}. */
        private double use;

        AppAnswers(String name, long removedUpTo) {
            this.name = name;
            this.removedUpTo = removedUpTo;
        }

        boolean isUnused() {
            return ended.isEmpty() && listeners.isEmpty();
        }
    }

    /**
     * Creates an empty store.
     *
     * @param clock the monotonic clock of the times, and the wall clock of the first number
     */
    public KeptAnswers(KeptAnswerSettings settings, NodeClock clock) {
        this.lastNumber = clock.wallMillis() * 1_000;
        this.forgottenUpTo = lastNumber;
        this.settings = settings;
        this.clock = clock;
        this.streams = new FairLimit(settings.maxStreams());
        this.waiting = new FairLimit(settings.maxWaiting());
    }

    /** Applies other limits. */
    public synchronized void update(KeptAnswerSettings newSettings) {
        settings = newSettings;
        streams.update(newSettings.maxStreams());
        waiting.update(newSettings.maxWaiting());
        removeExpired();
        removeBeyondLimits();
    }

    /** Returns the limit of the callers that wait for the end of a call, which counts them. */
    public FairLimit waiting() {
        return waiting;
    }

    /** Registers an open call. Returns false if the app has an open or kept call with this id. */
    public synchronized boolean register(String app, String id) {
        removeExpired();
        Key key = new Key(app, id);
        return calls.putIfAbsent(key, new KeptCall(key)) == null;
    }

    /** Removes a registered call that was not made. */
    public synchronized void forget(String app, String id) {
        calls.remove(new Key(app, id));
    }

    /** Keeps the result of a registered call, and runs the listeners of its app. Ignores further results. */
    public void complete(String app, String id, CallResult result) {
        Ended end;
        List<CompletableFuture<Ended>> callers;
        List<Runnable> wake;
        synchronized (this) {
            KeptCall call = calls.get(new Key(app, id));
            if (call == null || call.end != null) {
                return;
            }
            end = new Ended(++lastNumber, id, result);
            call.end = end;
            call.endedNanos = clock.nanos();
            ended.put(end.number(), call);
            AppAnswers answers = answersOf(app);
            answers.ended.put(end.number(), end);
            count(answers, call.bytes());
            callers = List.copyOf(call.waiting);
            wake = List.copyOf(answers.listeners);
            removeExpired();
            removeBeyondLimits();
        }
        // Without the lock, because this encodes and sends responses.
        callers.forEach(each -> each.complete(end));
        wake.forEach(Runnable::run);
    }

    /** Removes the answers that are too old. */
    public synchronized void removeExpired() {
        long oldest = clock.nanos() - settings.keep().toNanos();
        while (!ended.isEmpty() && ended.firstEntry().getValue().endedNanos - oldest < 0) {
            remove(ended.firstEntry().getValue());
        }
    }

    /** Removes the oldest answers of the app that uses most, so that no app removes the answers of others. */
    @GuardedBy("this")
    private void removeBeyondLimits() {
        while (ended.size() > settings.maxCount() || bytes > settings.maxBytes().bytes()) {
            remove(ended.get(byUse.last().ended.firstKey()));
        }
    }

    /** Removes an answer that is the oldest of its app. */
    @GuardedBy("this")
    private void remove(KeptCall oldest) {
        long number = oldest.end.number();
        ended.remove(number);
        calls.remove(oldest.key);
        AppAnswers answers = apps.get(oldest.key.app());
        answers.removedUpTo = number;
        answers.ended.remove(number);
        count(answers, -oldest.bytes());
        removeIfUnused(oldest.key.app(), answers);
    }

    /** Adds the bytes of an answer that was added, or removes those of one that was removed. */
    @GuardedBy("this")
    private void count(AppAnswers app, long added) {
        byUse.remove(app);
        bytes += added;
        app.bytes += added;
        app.use = Math.max(
                app.bytes / (double) settings.maxBytes().bytes(), app.ended.size() / (double) settings.maxCount());
        if (!app.ended.isEmpty()) {
            byUse.add(app);
        }
    }

    @GuardedBy("this")
    private AppAnswers answersOf(String app) {
        AppAnswers answers = apps.get(app);
        if (answers == null) {
            answers = new AppAnswers(app, forgottenUpTo);
            apps.put(app, answers);
        }
        return answers;
    }

    @GuardedBy("this")
    private void removeIfUnused(String app, AppAnswers answers) {
        if (answers.isUnused()) {
            forgottenUpTo = Math.max(forgottenUpTo, answers.removedUpTo);
            apps.remove(app);
        }
    }

    /**
     * Waits for the end of a call. The store holds the future until it is complete.
     *
     * @return completes when the call ends; callers complete it to end the wait. Null if the app has no such call
     */
    public synchronized CompletableFuture<Ended> find(String app, String id) {
        removeExpired();
        KeptCall call = calls.get(new Key(app, id));
        if (call == null) {
            return null;
        }
        if (call.end != null) {
            return CompletableFuture.completedFuture(call.end);
        }
        CompletableFuture<Ended> caller = new CompletableFuture<>();
        call.waiting.add(caller);
        caller.whenComplete((end, failure) -> stopWaiting(call, caller));
        return caller;
    }

    private synchronized void stopWaiting(KeptCall call, CompletableFuture<Ended> caller) {
        call.waiting.remove(caller);
    }

    /** Returns the number of callers that wait for the end of this call. */
    synchronized int waiting(String app, String id) {
        return calls.get(new Key(app, id)).waiting.size();
    }

    /**
     * Returns the first kept call of the app that ended after the one with this number.
     *
     * @return null if there is none yet
     */
    public synchronized Ended next(String app, long after) {
        removeExpired();
        AppAnswers answers = apps.get(app);
        Map.Entry<Long, Ended> next = answers == null ? null : answers.ended.higherEntry(after);
        return next == null ? null : next.getValue();
    }

    /**
     * Returns the number up to which answers of the app may have been removed. It is a little too large for an app that had neither
     * kept answers nor streams for a while. Answers of an earlier process are removed.
     */
    public synchronized long removedUpTo(String app) {
        AppAnswers answers = apps.get(app);
        return answers == null ? forgottenUpTo : answers.removedUpTo;
    }

    /** Returns the number of the last call that ended. */
    public synchronized long lastNumber() {
        return lastNumber;
    }

    /** Adds a listener that runs when a call of the app ends. Returns false if there are too many, of all apps or of this one. */
    public synchronized boolean listen(String app, Runnable listener) {
        if (!streams.tryOpen(app)) {
            return false;
        }
        answersOf(app).listeners.add(listener);
        return true;
    }

    /** Removes a listener. */
    public synchronized void unlisten(String app, Runnable listener) {
        AppAnswers answers = apps.get(app);
        if (answers != null && answers.listeners.remove(listener)) {
            streams.close(app);
            removeIfUnused(app, answers);
        }
    }

    /** Returns what each app has, by its name. Apps without answers and streams are missing. */
    public synchronized Map<String, AnswerShare> shares() {
        Map<String, AnswerShare> shares = new HashMap<>();
        apps.forEach((app, answers) ->
                shares.put(app, new AnswerShare(answers.ended.size(), answers.bytes, answers.listeners.size())));
        return shares;
    }

    /** Returns the number of kept answers. */
    public synchronized int count() {
        return ended.size();
    }

    /** Returns the total size of the kept answers. */
    public synchronized long bytes() {
        return bytes;
    }

    /** Returns the number of open streams. */
    public int streams() {
        return streams.count();
    }
}
