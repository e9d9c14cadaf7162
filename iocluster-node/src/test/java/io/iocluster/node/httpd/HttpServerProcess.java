package io.iocluster.node.httpd;

import static org.awaitility.Awaitility.await;

import io.iocluster.testkit.process.FreePorts;
import io.iocluster.testkit.process.NativeCommand;
import io.iocluster.testkit.process.NativeProcess;
import io.iocluster.testkit.process.TempDirectory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A third-party HTTP server as a child process. Owned by one test class. */
final class HttpServerProcess implements AutoCloseable {

    private static final Duration STARTUP = Duration.ofMinutes(2);
    private static final Path ENVIRONMENT = Path.of("target", "httpbin").toAbsolutePath();

    private final NativeProcess process;
    private final int port;

    private HttpServerProcess(List<String> commandLine, Path log, int port) {
        this.port = port;
        process = NativeProcess.start(new NativeCommand(commandLine, Map.of(), log));
        await().atMost(STARTUP).until(() -> listens(port) || !process.isAlive());
        if (!process.isAlive()) {
            throw new IllegalStateException(commandLine.get(0) + " did not start:\n" + process.logTail(40));
        }
    }

    /** Starts httpbin on gunicorn, which is installed below {@code target} if it is missing. */
    static HttpServerProcess httpbin(TempDirectory folder) throws IOException, InterruptedException {
        if (!installHttpbin()) {
            throw new IllegalStateException("httpbin could not be installed");
        }
        int port = FreePorts.find(1)[0];
        return new HttpServerProcess(
                List.of(
                        ENVIRONMENT.resolve("bin/gunicorn").toString(),
                        "--bind=127.0.0.1:" + port,
                        "--worker-class=gthread",
                        "--threads=8",
                        "--keep-alive=75",
                        "--worker-tmp-dir=" + folder.path(),
                        "--no-control-socket",
                        "httpbin:app"),
                folder.resolve("httpbin.log"),
                port);
    }

    /** Installs httpbin and gunicorn below {@code target} if they are missing. Returns whether they are there. */
    static boolean installHttpbin() throws IOException, InterruptedException {
        return new ProcessBuilder("bash", "../bin/lib/httpbin.sh", ENVIRONMENT.toString())
                        .inheritIO()
                        .start()
                        .waitFor()
                == 0;
    }

    /**
     * Starts nginx.
     *
     * @param port a port on which the configuration listens
     * @param http the content of the block {@code http}
     */
    static HttpServerProcess nginx(TempDirectory folder, int port, String http) throws IOException {
        String paths = Stream.of("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
                .map(kind -> kind + "_temp_path " + folder.resolve(kind) + ";")
                .reduce("", String::concat);
        Path configuration = Files.writeString(
                folder.resolve("nginx.conf"), """
                daemon off;
                master_process off;
                pid %s;
                error_log stderr;
                events {}
                http { access_log off; default_type text/plain; %s
                %s
                }
                """.formatted(folder.resolve("nginx.pid"), paths, http));
        String program = Stream.of("/usr/sbin/nginx")
                .filter(path -> Files.isExecutable(Path.of(path)))
                .findFirst()
                .orElse("nginx");
        return new HttpServerProcess(
                List.of(program, "-p", folder.path().toString(), "-e", "stderr", "-c", configuration.toString()),
                folder.resolve("nginx.log"),
                port);
    }

    int port() {
        return port;
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException refused) {
            return false;
        }
    }

    @Override
    public void close() {
        process.terminate(Duration.ofSeconds(5));
    }
}
