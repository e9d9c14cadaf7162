package io.iocluster.pipeline.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.thread.Platform;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class GuardedPipelineEventsTest {

    private final Set<String> told = new TreeSet<>();

    @Test
    void tellsEachListenerEveryEvent() throws ReflectiveOperationException {
        PipelineEvents failing = proxy(method -> {
            throw new IllegalStateException("a defect of a listener");
        });
        PipelineEvents recording = proxy(method -> told.add(method.getName()));
        Set<String> events = new TreeSet<>();
        for (Method event : PipelineEvents.class.getMethods()) {
            events.add(event.getName());
            PipelineEvents first = event.getName().equals("isTapped") ? PipelineEvents.NONE : failing;
            tell(new GuardedPipelineEvents(Platform.system(), first, recording), event);
        }

        assertThat(told).isNotEmpty().isEqualTo(events);
    }

    private static void tell(PipelineEvents listeners, Method event)
            throws IllegalAccessException, InvocationTargetException {
        event.invoke(listeners, zeros(event.getParameterTypes()));
    }

    private static PipelineEvents proxy(Consumer<Method> event) {
        return (PipelineEvents) Proxy.newProxyInstance(
                PipelineEvents.class.getClassLoader(), new Class<?>[] {PipelineEvents.class}, (self, method, given) -> {
                    event.accept(method);
                    return method.getReturnType() == boolean.class ? false : null;
                });
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
