package io.iocluster.door.spool;

import io.iocluster.door.call.CallResult;
import io.iocluster.door.call.Forwarder;
import io.iocluster.door.call.StoredCall;
import io.iocluster.door.call.StoredCallListener;
import io.iocluster.door.call.Submission;
import io.iocluster.door.config.SpoolFullPolicy;
import io.iocluster.door.config.SpoolSettings;
import io.iocluster.settings.DataSize;
import io.iocluster.thread.Platform;
import io.iocluster.transport.TraceContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/** A spool and what its listener has received. */
final class SpoolFixture implements AutoCloseable, StoredCallListener {

    static final TraceContext TRACE =
            new TraceContext("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "a=b");

    final List<String> recovered = new CopyOnWriteArrayList<>();
    final Map<String, CallResult> ended = new ConcurrentHashMap<>();
    final Spool spool;

    SpoolFixture(SpoolSettings settings, Forwarder forwarder) throws SpoolException {
        this(Spool.open(settings, Platform.system()), forwarder);
    }

    SpoolFixture(Spool spool, Forwarder forwarder) {
        this.spool = spool;
        spool.start(this, forwarder);
    }

    static SpoolSettings settings(Path folder) {
        return settings(folder, "");
    }

    static SpoolSettings settings(Path folder, String key) {
        return new SpoolSettings(
                folder.toString(), DataSize.ofMebibytes(64), 50_000, SpoolFullPolicy.REFUSE, key, Duration.ofHours(1));
    }

    static SpoolSettings settings(Path folder, DataSize maxBytes, int maxCalls, SpoolFullPolicy whenFull) {
        return new SpoolSettings(folder.toString(), maxBytes, maxCalls, whenFull, "", Duration.ofHours(1));
    }

    static StoredCall call(String id) {
        return call(id, "{\"url\":\"http://127.0.0.1/" + id + "\"}", Duration.ofHours(1));
    }

    static StoredCall call(String id, String envelope, Duration deadline) {
        long now = System.currentTimeMillis();
        return new StoredCall(
                "shop",
                id,
                id + "~secret",
                envelope.getBytes(StandardCharsets.UTF_8),
                TRACE,
                now,
                now + deadline.toMillis());
    }

    /** Stores a call and returns what happened to it. */
    Submission store(StoredCall call) {
        return spool.store(call).toCompletableFuture().join();
    }

    /** Stores calls with the ids from 1 to a number, one after the other. */
    void storeAll(int count) {
        List<CompletableFuture<Submission>> stored = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            stored.add(spool.store(call(Integer.toString(i))).toCompletableFuture());
        }
        stored.forEach(CompletableFuture::join);
    }

    static List<String> ids(int count) {
        return Stream.iterate(1, i -> i + 1)
                .limit(count)
                .map(i -> Integer.toString(i))
                .toList();
    }

    /** Copies the files of a running spool, as a killed process leaves them behind. */
    static Path killed(Path folder, Path copy) {
        try {
            Files.createDirectories(copy);
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.toList()) {
                    Files.copy(file, copy.resolve(file.getFileName()));
                }
            }
            return copy;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Override
    public void recovered(String app, String id) {
        recovered.add(id);
    }

    @Override
    public void ended(String app, String id, CallResult result) {
        ended.put(id, result);
    }

    @Override
    public void close() {
        spool.close(Duration.ZERO);
    }
}
