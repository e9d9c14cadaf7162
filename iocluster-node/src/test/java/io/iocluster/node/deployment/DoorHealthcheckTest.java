package io.iocluster.node.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.SettingsLoader;
import io.iocluster.node.door.DoorProcess;
import io.iocluster.node.tls.PrivateAuthority;
import io.iocluster.thread.DaemonThreadFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the health check of the image against a door. */
class DoorHealthcheckTest {

    private static final Path SCRIPT =
            Path.of(System.getProperty("basedir", ".")).resolve("../docker/healthcheck");

    @TempDir
    private Path folder;

    @Test
    void findsTheDoorOfTheContainerWithoutArguments() throws Exception {
        try (DoorProcess door = start("")) {
            Map<String, String> ports = Map.of("IOCLUSTER_DOOR_PORT", port(door), "IOCLUSTER_ADMIN_PORT", "1");

            assertThat(run(inContainerOf("java", "-cp", "x.jar", "Main", "door", "--local"), ports))
                    .isZero();
            assertThat(run(inContainerOf("java", "-cp", "x.jar", "Main", "run", "--config", "door.yaml"), ports))
                    .isNotZero();
        }
    }

    @Test
    void needsNoCertificateAlthoughTheCallersOfTheDoorDo() throws Exception {
        String tls = ", " + new PrivateAuthority("CN=authority").doorTls(folder, "CN=door");

        try (DoorProcess door = start(tls)) {
            assertThat(run(SCRIPT, Map.of(), port(door), "/readyz")).isZero();
            assertThat(run(SCRIPT, Map.of(), port(door), "/v1/calls/a")).isNotZero();
        }
    }

    @Test
    void failsIfTheServerClosesTheConnectionBeforeItHasTheRequest() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            DaemonThreadFactory.newThread("acceptor", () -> resetAll(server)).start();

            for (int i = 0; i < 20; i++) {
                assertThat(run(SCRIPT, Map.of(), Integer.toString(server.getLocalPort())))
                        .isEqualTo(1);
            }
        }
    }

    private static void resetAll(ServerSocket server) {
        try {
            while (true) {
                Socket connection = server.accept();
                connection.getInputStream().read();
                connection.setSoLinger(true, 0);
                connection.close();
            }
        } catch (IOException closed) {
            // The test has ended.
        }
    }

    private static DoorProcess start(String keys) throws IOException {
        return DoorProcess.start(new SettingsLoader<>(NodeSettings.class, Map.of())
                .load("door: {transport: local, port: 0" + keys + "}", Path.of(".")));
    }

    private static String port(DoorProcess door) {
        return Integer.toString(door.address().getPort());
    }

    /** Returns the script with another first process of the container. */
    private Path inContainerOf(String... commandLine) throws IOException {
        String process = write("cmdline", String.join("\0", commandLine) + "\0");
        String script = Files.readString(SCRIPT);
        assertThat(script).contains("/proc/1/cmdline");
        return Path.of(write("healthcheck", script.replace("/proc/1/cmdline", process)));
    }

    private String write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text).toString();
    }

    private static int run(Path script, Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("bash", script.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder check =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
        check.environment().putAll(environment);
        return check.start().waitFor();
    }
}
