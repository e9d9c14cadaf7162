package io.iocluster.http.connect;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** One connect over all addresses of a host. Used once. Confined to one event loop. */
final class ConnectRace {

    /** The Connection Attempt Delay that RFC 8305 section 8 recommends. */
    static final Duration ATTEMPT_DELAY = Duration.ofMillis(250);

    private final EventLoop loop;
    private final Bootstrap bootstrap;
    private final int addressCount;
    private final Iterator<InetSocketAddress> untried;
    private final Duration timeout;
    private final FailedAddresses failed;
    private final AddressOrder order;
    private final LongSupplier nanoClock;
    private final Promise<Channel> result;
    /** The attempts in progress, in the order of their starts. */
    private final List<Attempt> pending = new ArrayList<>();

    private final List<Throwable> failures = new ArrayList<>();
    private ScheduledFuture<?> nextStart;
    private ScheduledFuture<?> deadline;
    private boolean over;

    ConnectRace(
            EventLoop loop,
            Bootstrap bootstrap,
            List<InetSocketAddress> addresses,
            Duration timeout,
            FailedAddresses failed,
            AddressOrder order,
            LongSupplier nanoClock) {
        this.loop = loop;
        this.bootstrap = bootstrap;
        this.addressCount = addresses.size();
        this.untried = addresses.iterator();
        this.timeout = timeout;
        this.failed = failed;
        this.order = order;
        this.nanoClock = nanoClock;
        this.result = loop.newPromise();
    }

    Future<Channel> start() {
        deadline = loop.schedule(this::onTimeout, timeout.toNanos(), TimeUnit.NANOSECONDS);
        result.addListener(ended -> onResult(ended.isCancelled()));
        startNext();
        return result;
    }

    private void startNext() {
        if (nextStart != null) {
            nextStart.cancel(false);
        }
        if (!untried.hasNext()) {
            if (pending.isEmpty()) {
                finish();
                result.tryFailure(mostSpecificFailure());
            }
            return;
        }
        try {
            startNow(untried.next());
        } catch (RuntimeException bugOrShutDown) {
            finish(); // Nothing else ends the race if a timer calls this method.
            result.tryFailure(bugOrShutDown);
        }
    }

    private void startNow(InetSocketAddress address) {
        order.markDialled(address);
        Attempt attempt = new Attempt(address, bootstrap.connect(address), nanoClock.getAsLong());
        pending.add(attempt);
        if (untried.hasNext()) {
            nextStart = loop.schedule(this::startNext, ATTEMPT_DELAY.toNanos(), TimeUnit.NANOSECONDS);
        }
        if (attempt.connected.isDone()) {
            // A channel that could not be created belongs to no event loop, and calls listeners on another thread.
            onAttempt(attempt);
        } else {
            attempt.connected.addListener(connected -> onAttempt(attempt));
        }
    }

    private void onAttempt(Attempt attempt) {
        Channel channel = attempt.connected.channel();
        boolean connected = attempt.connected.isSuccess();
        if (over) {
            if (connected) {
                channel.close();
            }
            return;
        }
        pending.remove(attempt);
        if (connected) {
            failed.remove(attempt.address);
            markSilent();
            finish();
            if (!result.trySuccess(channel)) {
                channel.close(); // The caller has cancelled in the meantime.
            }
        } else {
            failed.add(attempt.address, nanoClock.getAsLong());
            failures.add(attempt.connected.cause());
            startNext();
        }
    }

    private void onTimeout() {
        if (over) {
            return;
        }
        if (!pending.isEmpty()) {
            // Also if the timeout is shorter than the delay. Otherwise each connect would begin with this address, and
            // none would reach the other address family.
            failed.add(pending.get(0).address, nanoClock.getAsLong());
        }
        markSilent();
        int tried = failures.size() + pending.size();
        finish();
        result.tryFailure(new ConnectTimeoutException("no connection within " + timeout.toMillis() + " ms; tried "
                + tried + " of " + addressCount + " addresses"));
    }

    private void onResult(boolean cancelled) {
        if (cancelled && !over) {
            markSilent();
            finish();
        }
    }

    /** Remembers as failed the addresses that have not answered within the delay before the next address. */
    private void markSilent() {
        long now = nanoClock.getAsLong();
        for (Attempt attempt : pending) {
            if (now - attempt.startedAt >= ATTEMPT_DELAY.toNanos()) {
                failed.add(attempt.address, now);
            }
        }
    }

    private void finish() {
        over = true;
        deadline.cancel(false);
        if (nextStart != null) {
            nextStart.cancel(false);
        }
        pending.forEach(attempt -> attempt.connected.channel().close());
        pending.clear();
    }

    private Throwable mostSpecificFailure() {
        return failures.stream().min(Comparator.comparingInt(ConnectRace::rank)).orElseThrow();
    }

    /** Returns a lower number for a cause that says more about the target. */
    private static int rank(Throwable cause) {
        String message = String.valueOf(cause.getMessage());
        if (cause instanceof ConnectTimeoutException || message.contains("timed out")) {
            return 2;
        }
        return cause instanceof ConnectException && message.contains("refused") ? 0 : 1;
    }

    private record Attempt(InetSocketAddress address, ChannelFuture connected, long startedAt) {}
}
