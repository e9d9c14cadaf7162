package io.iocluster.http.servers;

import io.iocluster.egress.EgressPolicy;
import io.iocluster.egress.EgressSettings;
import io.iocluster.egress.TargetUrl;
import io.iocluster.http.HttpExecutor;
import io.iocluster.http.HttpProfile;
import io.iocluster.http.HttpSettings;
import io.iocluster.http.ProxySettings;
import io.iocluster.http.TlsSettings;
import io.iocluster.http.client.NettyHttpExecutorFactory;
import io.iocluster.http.client.server.TestCertificateAuthority;
import io.iocluster.testkit.process.FixedWait;
import io.iocluster.testkit.process.FreePorts;
import io.iocluster.testkit.process.TempDirectory;
import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.thread.Platform;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The program behind {@code bin/servers}. Makes calls to each installed server with each fault and protocol, prints a line for each, and
 * exits with 1 if one violates what the client promises. Arguments are names of servers, {@code --calls N}, {@code --fault LABEL} and
 * {@code --protocol LABEL}.
 */
public final class ServerMatrix {

    private static final int DEFAULT_CALLS = 20_000;
    /** How often a server is reloaded or killed while calls run. */
    private static final int INTERRUPTIONS = 4;

    private static final int POLL_MILLIS = 5;
    private static final Duration CLIENT_IDLE = Duration.ofSeconds(1);

    private final PrintStream table;

    private ServerMatrix(PrintStream table) {
        this.table = table;
    }

    public static void main(String[] arguments) throws Exception {
        ServerMatrix matrix = new ServerMatrix(System.out);
        // The node logs to System.out in tests.
        System.setOut(System.err);
        System.exit(matrix.run(arguments) ? 0 : 1);
    }

    /** Runs the lines that the arguments select. Returns whether there are any and none has a violation. */
    private boolean run(String[] arguments) throws Exception {
        List<String> names = new ArrayList<>();
        int calls = DEFAULT_CALLS;
        Set<Fault> faults = EnumSet.noneOf(Fault.class);
        Set<Protocol> protocols = EnumSet.noneOf(Protocol.class);
        for (int i = 0; i < arguments.length; i++) {
            switch (arguments[i]) {
                case "--calls" -> calls = Integer.parseInt(arguments[++i]);
                case "--fault" -> faults.add(Fault.of(arguments[++i]));
                case "--protocol" -> protocols.add(Protocol.of(arguments[++i]));
                default -> names.add(arguments[i]);
            }
        }
        if (faults.isEmpty()) {
            faults.addAll(EnumSet.allOf(Fault.class));
        }
        List<TestedServer> servers = new ArrayList<>();
        for (String name : names) {
            servers.add(TestedServer.of(name));
        }
        int lines = 0;
        int bad = 0;
        table.println(Verdict.HEADER);
        for (TestedServer server : servers.isEmpty() ? TestedServer.all() : servers) {
            if (!server.isInstalled()) {
                table.println(server.name() + " is not installed");
                continue;
            }
            for (Fault fault : faults) {
                for (Protocol protocol : protocols.isEmpty() ? fault.protocols() : protocols) {
                    if (server.supports(fault, protocol)) {
                        lines++;
                        bad += printLine(server, fault, protocol, calls) ? 0 : 1;
                    }
                }
            }
        }
        table.println(bad + " of " + lines + " lines have violations");
        return bad == 0 && lines > 0;
    }

    /** Runs and prints a line. Returns whether it has no violation. */
    private boolean printLine(TestedServer server, Fault fault, Protocol protocol, int calls) {
        try {
            Verdict verdict = run(server, fault, protocol, calls);
            table.println(verdict);
            return verdict.isGood();
        } catch (Exception e) {
            table.println(server.name() + " " + fault.label() + " " + protocol.label() + " failed: " + e);
            return false;
        }
    }

    /** Runs a line of the matrix. */
    static Verdict run(TestedServer server, Fault fault, Protocol protocol, int calls) throws Exception {
        int count = fault.calls().count(calls);
        try (TempDirectory folder = new TempDirectory("servers-" + server.name())) {
            // Servers that root starts give up its rights and read the folder as another user.
            Files.setPosixFilePermissions(folder.path(), PosixFilePermissions.fromString("rwxrwxrwx"));
            TestCertificateAuthority authority = new TestCertificateAuthority(folder.path());
            Files.writeString(folder.resolve("target.pem"), authority.target().getCertificatePathPEM());
            Files.writeString(folder.resolve("target.key"), authority.target().getPrivateKeyPEM());
            Files.writeString(
                    folder.resolve("identity.pem"),
                    authority.target().getCertificatePathPEM()
                            + authority.target().getPrivateKeyPEM());
            int[] ports = FreePorts.find(3);
            boolean ends = server.isInProcess();
            Protocol behind = ends || server.isProxy() ? protocol : Protocol.H1;
            try (EchoServer echo = new EchoServer(behind, ends ? fault : Fault.STEADY, authority, ports[1])) {
                if (ends) {
                    return run(server, echo, echo, fault, protocol, count, authority.trust());
                }
                try (ProcessServer process = server.start(folder.path(), fault, protocol, ports)) {
                    return run(server, process, echo, fault, protocol, count, authority.trust());
                }
            }
        }
    }

    private static Verdict run(
            TestedServer server,
            RunningServer running,
            EchoServer echo,
            Fault fault,
            Protocol protocol,
            int count,
            TlsSettings trust)
            throws InterruptedException {
        HttpSettings settings = fault == Fault.LONG_IDLE
                ? RecordCopy.with(HttpSettings.DEFAULTS, "idleTimeout", CLIENT_IDLE)
                : HttpSettings.DEFAULTS;
        ProxySettings proxy = server.isProxy()
                ? new ProxySettings(ProxySettings.Type.HTTP, "127.0.0.1", running.port(), "", "")
                : ProxySettings.NONE;
        HttpProfile profile = new HttpProfile(
                settings.connectTimeout(),
                protocol.isHttp2(),
                false,
                protocol.isTls() ? trust : TlsSettings.DEFAULTS,
                proxy);
        TargetUrl origin =
                new TargetUrl(protocol.scheme(), "127.0.0.1", server.isProxy() ? echo.port() : running.port(), "/");
        EgressPolicy policy = policy();
        EventLoopGroup loop = NettyHttpExecutorFactory.newEventLoop(new DefaultThreadFactory("calls", true));
        long start = System.nanoTime();
        List<Attempt> attempts;
        try (HttpExecutor executor = new NettyHttpExecutorFactory(() -> policy, Platform.system())
                .newExecutor(loop, settings, host -> profile)) {
            Load load = new Load(loop.next(), executor, origin, fault, server.echo(), count);
            CompletableFuture<List<Attempt>> done = load.start();
            interrupt(running, fault, load, done, count);
            attempts = done.join();
        } finally {
            loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        running.close();
        Map<String, String> processed = new HashMap<>(echo.processed());
        processed.putAll(running.processed());
        return Verdict.of(server, fault, protocol, attempts, processed, seconds);
    }

    /** Reloads or kills the server at equal distances, until the calls are done. */
    private static void interrupt(RunningServer running, Fault fault, Load load, CompletableFuture<?> done, int count) {
        for (int i = 1; fault.interrupts() && i <= INTERRUPTIONS; i++) {
            int next = (int) ((long) count * i / (INTERRUPTIONS + 1));
            while (load.ended() < next && !done.isDone()) {
                FixedWait.millis(POLL_MILLIS);
            }
            if (fault == Fault.KILL) {
                running.kill();
            } else {
                running.reload();
            }
        }
    }

    private static EgressPolicy policy() {
        return new EgressPolicy(
                RecordCopy.with(EgressSettings.DEFAULTS, "ports", List.of(), "allowNetworks", List.of("127.0.0.0/8")));
    }
}
