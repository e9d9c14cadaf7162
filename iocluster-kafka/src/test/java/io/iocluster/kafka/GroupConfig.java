package io.iocluster.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;

/** The configuration of one group, so that its test can use a shared broker. */
public final class GroupConfig {

    private GroupConfig() {}

    /** Sets a time in milliseconds, and returns when the broker uses it. */
    public static void set(Admin admin, String group, String key, Duration time) {
        String millis = Long.toString(time.toMillis());
        ConfigResource resource = new ConfigResource(ConfigResource.Type.GROUP, group);
        try {
            admin.incrementalAlterConfigs(Map.of(
                            resource,
                            List.of(new AlterConfigOp(new ConfigEntry(key, millis), AlterConfigOp.OpType.SET))))
                    .all()
                    .get(1, TimeUnit.MINUTES);
            while (!admin.describeConfigs(List.of(resource))
                    .all()
                    .get(1, TimeUnit.MINUTES)
                    .get(resource)
                    .get(key)
                    .value()
                    .equals(millis)) {
                Thread.onSpinWait();
            }
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }
}
