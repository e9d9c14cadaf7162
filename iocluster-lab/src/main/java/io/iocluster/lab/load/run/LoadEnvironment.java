package io.iocluster.lab.load.run;

import com.sun.management.OperatingSystemMXBean;
import io.iocluster.lab.load.result.Environment;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;

/** Describes the machine of this process. */
public final class LoadEnvironment {

    private LoadEnvironment() {}

    /** Returns the environment. */
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
