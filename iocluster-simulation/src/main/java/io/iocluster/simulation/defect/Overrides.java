package io.iocluster.simulation.defect;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Passes the methods of an interface on to the correct implementation, except for those that another object has too. Confined to the thread
 * of the simulation.
 */
final class Overrides implements InvocationHandler {

    private final Object correct;
    private final Object defect;
    private final Map<Method, Method> overridden = new HashMap<>();

    private Overrides(Object correct, Object defect) {
        this.correct = correct;
        this.defect = defect;
    }

    /**
     * Replaces methods.
     *
     * @param defect has methods with the names and parameters of those that it replaces
     */
    static <T> T of(Class<T> type, T correct, Object defect) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, new Overrides(correct, defect)));
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        if (method.getName().equals("equals")) {
            return proxy == arguments[0];
        }
        try {
            Method override = overridden.computeIfAbsent(method, this::find);
            return override == null ? method.invoke(correct, arguments) : override.invoke(defect, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getTargetException();
        }
    }

    private Method find(Method method) {
        for (Method each : defect.getClass().getDeclaredMethods()) {
            if (each.getName().equals(method.getName())
                    && Arrays.equals(each.getParameterTypes(), method.getParameterTypes())) {
                each.setAccessible(true);
                return each;
            }
        }
        return null;
    }
}
