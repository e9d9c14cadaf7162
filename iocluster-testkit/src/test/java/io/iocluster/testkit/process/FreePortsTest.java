package io.iocluster.testkit.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FreePortsTest {

    @Test
    void findsDifferentPortsOutsideTheRangeOfOutgoingConnections() throws IOException {
        int[] ports = FreePorts.find(50);

        assertThat(ports).doesNotHaveDuplicates();
        for (int port : ports) {
            assertThat(port).isBetween(1_024, 32_767);
            new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
        }
    }

    @Test
    void returnsAPortAgainOnlyAfterManyOthers() {
        int[] stopped = FreePorts.find(1);

        assertThat(FreePorts.find(190)).doesNotContain(stopped);
    }

    @Test
    void returnsOtherPortsInAnotherJvm() throws Exception {
        int[] own = FreePorts.find(199);

        assertThat(portsOfAnotherJvm())
                .hasSize(199)
                .doesNotContainAnyElementsOf(IntStream.of(own).boxed().toList());
    }

    private static List<Integer> portsOfAnotherJvm() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        JavaCommand.ownClassPath(),
                        PrintsPorts.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader reader = process.inputReader()) {
            List<Integer> ports = reader.lines().map(Integer::valueOf).toList();
            assertThat(process.waitFor()).isZero();
            return ports;
        }
    }

    /** Main class of another JVM. */
    static final class PrintsPorts {

        private PrintsPorts() {}

        public static void main(String[] arguments) {
            IntStream.of(FreePorts.find(199)).forEach(System.out::println);
        }
    }
}
