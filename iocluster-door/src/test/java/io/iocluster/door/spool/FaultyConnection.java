package io.iocluster.door.spool;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A connection to SQLite whose statements fail or wait if the test asks for it. Thread-safe. */
final class FaultyConnection {

    static final int IO_ERROR = 10;
    static final int CORRUPT = 11;
    static final int FULL = 13;
    static final int FSYNC_ERROR = IO_ERROR | 4 << 8;

    private final Connection real;
    private final AtomicInteger failures = new AtomicInteger();
    private volatile Fault fault;

    private final Map<String, Integer> executed = new ConcurrentHashMap<>();
    private final CountDownLatch held = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private volatile String holding;

    private record Fault(String statement, int code) {}

    FaultyConnection(Connection real) {
        this.real = real;
    }

    /** Lets each statement that starts with this text fail with this error code of SQLite. */
    void fail(String statement, int code) {
        fault = new Fault(statement, code);
    }

    /** Lets no further statement fail. */
    void repair() {
        fault = null;
    }

    /** Returns the number of statements that have failed. */
    int failures() {
        return failures.get();
    }

    /** Lets the next statement with this text wait until {@link #release}. */
    void hold(String statement) {
        holding = statement;
    }

    /** Waits until that statement waits. */
    void awaitHeld() throws InterruptedException {
        held.await();
    }

    void release() {
        released.countDown();
    }

    /** Returns how often the statement was executed, or is executed now. */
    int executed(String statement) {
        return executed.getOrDefault(statement, 0);
    }

    Connection connection() {
        return proxy(Connection.class, (method, arguments) -> {
            Object result = invoke(real, method, arguments);
            if (result instanceof PreparedStatement prepared) {
                String sql = (String) arguments[0];
                return proxy(PreparedStatement.class, (of, given) -> run(prepared, of, given, sql));
            }
            if (result instanceof Statement statement) {
                return proxy(
                        Statement.class,
                        (of, given) -> run(statement, of, given, given == null ? "" : String.valueOf(given[0])));
            }
            return result;
        });
    }

    private Object run(Statement statement, Method method, Object[] arguments, String sql) throws Throwable {
        if (method.getName().startsWith("execute")) {
            executed.merge(sql, 1, Integer::sum);
            if (sql.equals(holding)) {
                held.countDown();
                released.await();
            }
        }
        Fault current = fault;
        if (current != null && method.getName().startsWith("execute") && sql.startsWith(current.statement())) {
            failures.incrementAndGet();
            throw new SQLException("a fault of the test", "", current.code());
        }
        return invoke(statement, method, arguments);
    }

    private interface Handler {
        Object handle(Method method, Object[] arguments) throws Throwable;
    }

    private static <T> T proxy(Class<T> type, Handler handler) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> handler.handle(method, arguments)));
    }

    private static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException failed) {
            throw failed.getCause();
        }
    }
}
