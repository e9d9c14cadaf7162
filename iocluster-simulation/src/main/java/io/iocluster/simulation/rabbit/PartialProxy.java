package io.iocluster.simulation.rabbit;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;

/**
 * Implements an interface by the methods of an object that have the same names and parameters. The other methods throw an
 * {@link UnsupportedOperationException}. Confined to the thread of the simulation.
 */
final class PartialProxy implements InvocationHandler {

    private final Object implementation;
    private final Map<Method, Method> found = new HashMap<>();

    private PartialProxy(Object implementation) {
        this.implementation = implementation;
    }

    static <T> T of(Class<T> type, Object implementation) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, new PartialProxy(implementation)));
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        if (method.getDeclaringClass() == Object.class) {
            return switch (method.getName()) {
                case "equals" -> proxy == arguments[0];
                case "hashCode" -> System.identityHashCode(proxy);
                default -> implementation.toString();
            };
        }
        try {
            return found.computeIfAbsent(method, this::find).invoke(implementation, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getTargetException();
        }
    }

    private Method find(Method method) {
        try {
            Method same = implementation.getClass().getDeclaredMethod(method.getName(), method.getParameterTypes());
            same.setAccessible(true);
            return same;
        } catch (NoSuchMethodException unknown) {
            throw new UnsupportedOperationException("not simulated: " + method, unknown);
        }
    }
}
