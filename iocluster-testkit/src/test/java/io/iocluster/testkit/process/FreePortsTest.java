package io.iocluster.testkit.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
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
}
