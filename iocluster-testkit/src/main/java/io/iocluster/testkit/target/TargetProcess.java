package io.iocluster.testkit.target;

import io.iocluster.testkit.process.JavaCommand;
import io.iocluster.testkit.process.JavaProcess;
import io.iocluster.testkit.process.TempDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * A {@link TargetServer} in a child JVM, so that it does not affect heap and pauses of the measuring JVM. Thread-safe.
 */
public final class TargetProcess implements AutoCloseable {

    private static final Duration STARTUP = Duration.ofMinutes(2);
    private static final int HOSTS_IN_A_NETWORK = 250;

    private final TempDirectory folder;
    private final JavaProcess process;
    private final List<String> hosts;
    private final int port;
    private final TargetKeyStore keys;
    private final int http2Port;
    private final HttpClient client = HttpClient.newHttpClient();

    private TargetProcess(
            TempDirectory folder,
            JavaProcess process,
            List<String> hosts,
            int port,
            TargetKeyStore keys,
            int http2Port) {
        this.folder = folder;
        this.process = process;
        this.hosts = hosts;
        this.port = port;
        this.keys = keys;
        this.http2Port = http2Port;
    }

    /**
     * Starts a target and returns when it listens. If {@code detailed} is true, the fast path is disabled for {@code
     * /ok}.
     */
    public static TargetProcess start(int threads, boolean detailed) {
        return start(List.of(TargetServer.LOOPBACK), threads, detailed);
    }

    /** Starts a target like {@link #start(int, boolean)}, on these loopback addresses, each of which is another host. */
    public static TargetProcess start(List<String> hosts, int threads, boolean detailed) {
        return start(hosts, threads, detailed, false);
    }

    /** Starts a target like {@link #start(int, boolean)}, which is as many hosts as there are loopback addresses. */
    public static TargetProcess startHosts(int hosts, int threads, boolean detailed) {
        return start(
                IntStream.range(0, hosts).mapToObj(TargetProcess::hostAddress).toList(), threads, detailed);
    }

    /** Starts a target that also speaks HTTP/2 over TLS, and counts totals only. */
    public static TargetProcess startWithHttp2(int threads) {
        return start(List.of(TargetServer.LOOPBACK), threads, false, true);
    }

    private static String hostAddress(int host) {
        return host == 0
                ? TargetServer.LOOPBACK
                : "127.1." + host / HOSTS_IN_A_NETWORK + "." + (1 + host % HOSTS_IN_A_NETWORK);
    }

    private static TargetProcess start(List<String> hosts, int threads, boolean detailed, boolean http2) {
        TempDirectory folder = new TempDirectory("target");
        TargetKeyStore keys = http2 ? TargetKeyStore.create(folder.path()) : null;
        Path portFile = folder.resolve("port");
        List<String> arguments = new ArrayList<>(List.of(
                hosts.get(0),
                Integer.toString(threads),
                detailed ? "detailed" : "totals",
                portFile.toString(),
                http2 ? folder.path().toString() : "-"));
        arguments.addAll(hosts.subList(1, hosts.size()));
        JavaProcess process = JavaProcess.start(new JavaCommand(
                JavaCommand.ownClassPath(),
                List.of("-Xmx256m", "-XX:+UseSerialGC", JavaCommand.QUIET_LOGGING_FLAG),
                TargetMain.class.getName(),
                arguments,
                folder.resolve("target.log")));
        long end = System.nanoTime() + STARTUP.toNanos();
        while (!Files.exists(portFile)) {
            if (!process.isAlive() || System.nanoTime() - end > 0) {
                String log = process.logTail(40);
                process.kill();
                folder.close();
                throw new IllegalStateException("the target did not start:\n" + log);
            }
            LockSupport.parkNanos(20_000_000);
        }
        try {
            String[] ports = Files.readString(portFile).split(" ", -1);
            return new TargetProcess(
                    folder, process, hosts, Integer.parseInt(ports[0]), keys, Integer.parseInt(ports[1]));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public long pid() {
        return process.pid();
    }

    /** Returns the URL of a path; the path starts with a slash. */
    public String url(String path) {
        return url(0, path);
    }

    /** Returns the URL of a path on one of the hosts, from 0. */
    public String url(int host, String path) {
        return "http://" + hosts.get(host) + ":" + port + path;
    }

    /** Returns the URL of a path over HTTP/2 and TLS; the path starts with a slash. */
    public String http2Url(String path) {
        return "https://" + hosts.get(0) + ":" + http2Port + path;
    }

    /** Returns the file of the certificate for HTTP/2 in PEM format. */
    public Path http2Certificate() {
        return keys.certificate();
    }

    /** Returns total requests, open requests and peak open requests as JSON. */
    public String totalsJson() {
        return get("/ledger/totals");
    }

    /** Clears the request log. */
    public void resetRequestLog() {
        get("/ledger/reset");
    }

    /** Sets the fault of the whole target, which replaces an earlier one. */
    public void setFault(TargetFault fault) {
        get(fault.path());
    }

    /** Ends the fault of the whole target, if there is one. */
    public void clearFault() {
        get("/fault/clear");
    }

    @Override
    public void close() {
        process.kill();
        folder.close();
    }

    private String get(String path) {
        try {
            return client.send(
                            HttpRequest.newBuilder(URI.create(url(path))).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
