package io.iocluster.lab.load.result;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;

/**
 * The machine and the programs of a run.
 *
 * @param nodes version by node id, as far as known
 */
public record Environment(
        String version,
        String host,
        String operatingSystem,
        int processors,
        long memoryBytes,
        String java,
        Map<String, String> nodes) {

    public Environment {
        nodes = Map.copyOf(nodes);
    }

    /** Returns the environment of this process. */
    public static Environment read(String version, Map<String, String> nodes) {
        long memory = ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                ? system.getTotalMemorySize()
                : 0;
        return new Environment(
                version,
                hostName(),
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                Runtime.getRuntime().availableProcessors(),
                memory,
                System.getProperty("java.vm.name") + " " + Runtime.version(),
                nodes);
    }

    /** Returns the name of this machine. */
    public static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException unnamed) {
            return "localhost";
        }
    }
}
