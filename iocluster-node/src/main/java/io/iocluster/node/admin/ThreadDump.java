package io.iocluster.node.admin;

import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import javax.management.JMException;
import javax.management.ObjectName;

/** Captures a thread dump as {@code jstack} prints it, with detected deadlocks. */
final class ThreadDump {

    private static final String DIAGNOSTICS = "com.sun.management:type=DiagnosticCommand";
    private static final Object[] NO_OPTIONS = {new String[0]};
    private static final String[] SIGNATURE = {String[].class.getName()};

    private ThreadDump() {}

    static AdminResponse capture() {
        try {
            Object text = ManagementFactory.getPlatformMBeanServer()
                    .invoke(new ObjectName(DIAGNOSTICS), "threadPrint", NO_OPTIONS, SIGNATURE);
            byte[] body = text.toString().getBytes(StandardCharsets.UTF_8);
            return new AdminResponse(200, "text/plain; charset=utf-8", body, Map.of());
        } catch (JMException unsupported) {
            return AdminResponse.error(501, "this JVM has no diagnostic commands; use the tools of its vendor");
        }
    }
}
