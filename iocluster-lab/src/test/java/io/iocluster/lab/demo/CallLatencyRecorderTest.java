package io.iocluster.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.pipeline.event.PipelineEvents;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class CallLatencyRecorderTest {

    private final Set<String> forwarded = new TreeSet<>();

    @Test
    void forwardsEveryEventOfThePipeline() throws ReflectiveOperationException {
        CallLatencyRecorder latencies = new CallLatencyRecorder((PipelineEvents) Proxy.newProxyInstance(
                PipelineEvents.class.getClassLoader(),
                new Class<?>[] {PipelineEvents.class},
                (proxy, method, given) -> {
                    forwarded.add(method.getName());
                    return method.getReturnType() == boolean.class ? false : null;
                }));
        Set<String> events = new TreeSet<>();
        for (Method event : PipelineEvents.class.getMethods()) {
            events.add(event.getName());
            event.invoke(latencies, zeros(event.getParameterTypes()));
        }

        assertThat(forwarded).isNotEmpty().isEqualTo(events);
    }

    private static Object[] zeros(Class<?>[] types) {
        return Arrays.stream(types)
                .map(type -> {
                    if (type == long.class) {
                        return 0L;
                    }
                    if (type == boolean.class) {
                        return false;
                    }
                    return type == int.class ? 0 : null;
                })
                .toArray();
    }
}
