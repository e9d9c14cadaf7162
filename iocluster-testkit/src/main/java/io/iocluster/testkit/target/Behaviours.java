package io.iocluster.testkit.target;

import io.netty.handler.codec.http.HttpHeaderNames;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.zip.GZIPOutputStream;

/**
 * The target's behaviours, selected by the URL's path. Every path accepts {@code id} and {@code key} (or the headers
 * {@code X-Id} and {@code X-Key}) for the request log, and {@code ms}, a delay before the behaviour. Thread-safe.
 *
 * <ul>
 *   <li>{@code /ok}, {@code /delay?ms=100}: 200
 *   <li>{@code /tail?percent=2&slow=2000}: 200, but this percentage of the requests waits {@code slow} milliseconds
 *   <li>{@code /status?code=503}
 *   <li>{@code /headers?name=value&…}: 200 with these headers
 *   <li>{@code /redirect?to=…&code=302}
 *   <li>{@code /body?bytes=N&gzip=true}: a body of that size, compressed if {@code gzip} is true
 *   <li>{@code /drip?bytes=N&every=MS&part=1}: a body in parts; {@code chunked=true} omits the length
 *   <li>{@code /early?code=103}: an informational response, then 200
 *   <li>{@code /never}: no response
 *   <li>{@code /held}: 200 after {@link TargetServer#releaseHeld}
 *   <li>{@code /close}, {@code /reset}: closes or resets the connection without a response; with {@code at=body} in the
 *       middle of one
 *   <li>{@code /garbage}: bytes that are not HTTP
 *   <li>{@code /echo}: method, path, headers and body as JSON; {@code /mirror}: the request's body
 *   <li>{@code /flaky?failures=N&key=K&code=503&how=status}: fails the first N requests with that key, or with that id
 *       if there is no key, then 200; {@code how} is {@code status}, {@code close} or {@code reset}; {@code
 *       retry-after=S} adds that header, in seconds
 *   <li>{@code /service?name=N}: 200, or 503 from {@code /service/down?name=N} until {@code /service/up?name=N}
 *   <li>{@code /fault?kind=latency&fault-ms=500&code=503&percent=100&name=a&for-ms=60000}: sets a {@link TargetFault} of the whole
 *       target, which replaces one of the same name. The latest one applies. It ends by itself after {@code for-ms}; without it,
 *       {@code /fault/clear?name=a} ends it, and {@code /fault/clear} all
 *   <li>{@code /ledger}, {@code /ledger/totals}: the request log as JSON; {@code /ledger/reset} clears it
 * </ul>
 */
final class Behaviours {

    private static final byte[] OK = utf8("ok");
    private static final String TEXT = "text/plain";
    private static final String JSON = "application/json";
    private static final int SLOW_BODY_PARTS = 10;

    private final Map<String, AtomicInteger> failures = new ConcurrentHashMap<>();
    private final Set<String> down = ConcurrentHashMap.newKeySet();
    private final CompletableFuture<Void> released = new CompletableFuture<>();
    private final Map<String, ActiveFault> faults = new LinkedHashMap<>();
    private volatile ActiveFault fault;
    private final RequestLog requestLog;
    private final Map<String, Consumer<Exchange>> byPath;

    Behaviours(RequestLog requestLog) {
        this.requestLog = requestLog;
        this.byPath = Map.ofEntries(
                Map.entry("/ok", Behaviours::ok),
                Map.entry("/delay", Behaviours::ok),
                Map.entry("/tail", Behaviours::tail),
                Map.entry("/status", exchange -> exchange.respond(exchange.intParameter("code", 200), TEXT, OK)),
                Map.entry("/headers", Behaviours::headers),
                Map.entry("/redirect", Behaviours::redirect),
                Map.entry("/body", Behaviours::body),
                Map.entry("/drip", Behaviours::drip),
                Map.entry("/early", Behaviours::early),
                Map.entry("/never", exchange -> {}),
                Map.entry("/held", this::hold),
                Map.entry("/close", exchange -> disconnect(exchange, Exchange::close)),
                Map.entry("/reset", exchange -> disconnect(exchange, Exchange::reset)),
                Map.entry("/garbage", exchange -> exchange.writeRaw(utf8("this is not HTTP\r\n\r\n"))),
                Map.entry("/echo", exchange -> exchange.respond(200, JSON, TargetJson.echo(exchange))),
                Map.entry("/mirror", Behaviours::mirror),
                Map.entry("/flaky", this::flaky),
                Map.entry("/service", this::serve),
                Map.entry("/service/down", exchange -> setService(exchange, down::add)),
                Map.entry("/service/up", exchange -> setService(exchange, down::remove)),
                Map.entry("/fault", this::readFault),
                Map.entry("/fault/clear", this::clearFault),
                Map.entry("/ledger", exchange -> exchange.respond(200, JSON, TargetJson.requestLog(this.requestLog))),
                Map.entry(
                        "/ledger/totals", exchange -> exchange.respond(200, JSON, TargetJson.totals(this.requestLog))),
                Map.entry("/ledger/reset", this::reset));
    }

    /**
     * A fault that was set.
     *
     * @param untilNanos when it ends by itself, by {@link System#nanoTime}; null if it does not
     */
    private record ActiveFault(TargetFault fault, Long untilNanos) {

        boolean hasEnded(long nowNanos) {
            return untilNanos != null && nowNanos - untilNanos >= 0;
        }
    }

    void handle(Exchange exchange) {
        TargetFault now = currentFault();
        if (now != null && !exchange.isControl() && now.affectsThisRequest()) {
            applyFault(now, exchange);
        } else {
            behave(exchange);
        }
    }

    /** Returns the fault that applies now; null if there is none. */
    private TargetFault currentFault() {
        ActiveFault now = fault;
        if (now != null && now.hasEnded(System.nanoTime())) {
            now = removeEndedFaults();
        }
        return now == null ? null : now.fault();
    }

    private synchronized ActiveFault removeEndedFaults() {
        long now = System.nanoTime();
        faults.values().removeIf(each -> each.hasEnded(now));
        return applyLatestFault();
    }

    private ActiveFault applyLatestFault() {
        fault = faults.values().stream().reduce((before, last) -> last).orElse(null);
        return fault;
    }

    /**
     * Sets a fault of the whole target, which applies until it ends, is cleared, or another one is set.
     *
     * @param millis after which time it ends by itself; 0 for never
     */
    synchronized void setFault(String name, TargetFault next, int millis) {
        faults.remove(name);
        faults.put(
                name,
                new ActiveFault(next, millis == 0 ? null : System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis)));
        applyLatestFault();
    }

    /** Ends a fault. If it was the latest one, the one before it applies again. */
    synchronized void clearFault(String name) {
        faults.remove(name);
        applyLatestFault();
    }

    /** Ends all faults. */
    synchronized void clearFaults() {
        faults.clear();
        fault = null;
    }

    boolean hasFault() {
        return fault != null;
    }

    private void applyFault(TargetFault now, Exchange exchange) {
        switch (now.kind()) {
            case LATENCY -> exchange.schedule(now.millis(), () -> behave(exchange));
            case STATUS -> exchange.respond(now.status(), TEXT, utf8("fault"));
            case HANG -> {
                // The exchange ends when the client disconnects.
            }
            case RESET -> exchange.reset();
            case SLOW_BODY -> {
                exchange.startResponse(200, SLOW_BODY_PARTS);
                drip(exchange, SLOW_BODY_PARTS, 1, Math.max(1, now.millis() / SLOW_BODY_PARTS));
            }
        }
    }

    private void readFault(Exchange exchange) {
        try {
            int millis = exchange.intParameter("for-ms", 0);
            if (millis < 0) {
                throw new IllegalArgumentException("for-ms must not be negative: " + millis);
            }
            setFault(
                    exchange.parameter("name", ""),
                    new TargetFault(
                            TargetFault.Kind.of(exchange.parameter("kind", "")),
                            exchange.intParameter("fault-ms", 0),
                            exchange.intParameter("code", 503),
                            exchange.intParameter("percent", 100)),
                    millis);
            ok(exchange);
        } catch (IllegalArgumentException e) {
            exchange.respond(400, TEXT, utf8(e.getMessage()));
        }
    }

    private void clearFault(Exchange exchange) {
        String name = exchange.parameter("name", null);
        if (name == null) {
            clearFaults();
        } else {
            clearFault(name);
        }
        ok(exchange);
    }

    private void behave(Exchange exchange) {
        Consumer<Exchange> behaviour =
                byPath.getOrDefault(exchange.path(), unknown -> unknown.respond(404, TEXT, utf8("no such behaviour")));
        try {
            int delay = exchange.intParameter("ms", 0);
            if (delay == 0) {
                behaviour.accept(exchange);
            } else {
                exchange.schedule(delay, () -> behaviour.accept(exchange));
            }
        } catch (NumberFormatException e) {
            exchange.respond(400, TEXT, utf8(e.getMessage()));
        }
    }

    /** Answers all held requests, and further ones at once. */
    void releaseHeld() {
        released.complete(null);
    }

    private void hold(Exchange exchange) {
        released.thenRun(() -> exchange.schedule(0, () -> ok(exchange)));
    }

    private static void ok(Exchange exchange) {
        exchange.respond(200, TEXT, OK);
    }

    private static void tail(Exchange exchange) {
        boolean slow = ThreadLocalRandom.current().nextInt(100) < exchange.intParameter("percent", 1);
        exchange.schedule(slow ? exchange.intParameter("slow", 1_000) : 0, () -> ok(exchange));
    }

    private static void headers(Exchange exchange) {
        String[] pairs = exchange.parameters().entrySet().stream()
                .flatMap(entry ->
                        entry.getValue().stream().flatMap(value -> Arrays.stream(new String[] {entry.getKey(), value})))
                .toArray(String[]::new);
        exchange.respond(200, TEXT, OK, pairs);
    }

    private static void redirect(Exchange exchange) {
        exchange.respond(exchange.intParameter("code", 302), TEXT, OK, "location", exchange.parameter("to", "/ok"));
    }

    private static void body(Exchange exchange) {
        byte[] content = filler(exchange.intParameter("bytes", 1_000));
        if (exchange.parameter("gzip", "false").equals("true")) {
            exchange.respond(200, TEXT, gzip(content), "content-encoding", "gzip");
        } else {
            exchange.respond(200, TEXT, content);
        }
    }

    private static void drip(Exchange exchange) {
        int bytes = exchange.intParameter("bytes", 10);
        boolean chunked = exchange.parameter("chunked", "false").equals("true");
        exchange.startResponse(200, chunked ? -1 : bytes);
        drip(exchange, bytes, Math.max(1, exchange.intParameter("part", 1)), exchange.intParameter("every", 10));
    }

    private static void drip(Exchange exchange, int left, int part, int every) {
        if (left == 0) {
            exchange.endResponse();
            return;
        }
        exchange.writeChunk(filler(Math.min(part, left)));
        exchange.schedule(every, () -> drip(exchange, Math.max(0, left - part), part, every));
    }

    private static void early(Exchange exchange) {
        exchange.respondInformational(exchange.intParameter("code", 103));
        ok(exchange);
    }

    private static void disconnect(Exchange exchange, Consumer<Exchange> how) {
        if (exchange.parameter("at", "start").equals("body")) {
            exchange.startResponse(200, 1_000);
            exchange.writeChunk(filler(10));
            exchange.schedule(20, () -> how.accept(exchange));
        } else {
            how.accept(exchange);
        }
    }

    private static void mirror(Exchange exchange) {
        String type = exchange.headers().get(HttpHeaderNames.CONTENT_TYPE, "application/octet-stream");
        exchange.respond(200, type, exchange.body());
    }

    private void flaky(Exchange exchange) {
        int seen = failures.computeIfAbsent(
                        exchange.parameter("key", exchange.parameter("id", "")), key -> new AtomicInteger())
                .incrementAndGet();
        if (seen > exchange.intParameter("failures", 1)) {
            ok(exchange);
            return;
        }
        switch (exchange.parameter("how", "status")) {
            case "close" -> exchange.close();
            case "reset" -> exchange.reset();
            default ->
                exchange.respond(exchange.intParameter("code", 503), TEXT, utf8("not yet"), retryAfter(exchange));
        }
    }

    private static String[] retryAfter(Exchange exchange) {
        int seconds = exchange.intParameter("retry-after", 0);
        return seconds == 0 ? new String[0] : new String[] {"retry-after", Integer.toString(seconds)};
    }

    private void serve(Exchange exchange) {
        if (down.contains(exchange.parameter("name", ""))) {
            exchange.respond(503, TEXT, utf8("down"));
        } else {
            ok(exchange);
        }
    }

    private static void setService(Exchange exchange, Consumer<String> change) {
        change.accept(exchange.parameter("name", ""));
        ok(exchange);
    }

    private void reset(Exchange exchange) {
        requestLog.reset();
        failures.clear();
        down.clear();
        clearFaults();
        ok(exchange);
    }

    private static byte[] filler(int bytes) {
        byte[] content = new byte[bytes];
        Arrays.fill(content, (byte) 'x');
        return content;
    }

    private static byte[] gzip(byte[] content) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(out)) {
            zip.write(content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
