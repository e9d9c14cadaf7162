package io.iocluster.http.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.Future;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Dials addresses whose channels connect or fail when the test says so, on a clock of the test. */
class HappyEyeballsTest {

    private static final InetSocketAddress V4_A = new InetSocketAddress("192.0.2.1", 80);
    private static final InetSocketAddress V4_B = new InetSocketAddress("192.0.2.2", 80);
    private static final InetSocketAddress V4_C = new InetSocketAddress("192.0.2.3", 80);
    private static final InetSocketAddress V6_A = new InetSocketAddress("2001:db8::1", 80);
    private static final InetSocketAddress V6_B = new InetSocketAddress("2001:db8::2", 80);
    private static final Duration TIMEOUT = Duration.ofSeconds(3);

    private final EmbeddedChannel clock = new EmbeddedChannel();
    private final List<ScriptedChannel> channels = new ArrayList<>();
    private final FailedAddresses memory = new FailedAddresses(100, Duration.ofSeconds(30));
    private final HappyEyeballs eyeballs = new HappyEyeballs(clock.eventLoop(), memory, this::nanos);
    private Future<Channel> connected;
    private long nanos;

    @BeforeEach
    void freeze() {
        clock.freezeTime();
    }

    @AfterEach
    void nothingLeaks() {
        advance(60_000);
        Channel winner = connected.isSuccess() ? connected.getNow() : null;
        assertThat(channels).filteredOn(each -> each != winner).noneMatch(Channel::isOpen);
    }

    @Test
    void startsTheNextAddressIfOneIsSilentAndBeginsWithTheOtherNextTime() {
        connect(TIMEOUT, V4_A, V4_B);
        InetSocketAddress silent = dialled().get(0);

        advance(249);
        assertThat(dialled()).hasSize(1);
        advance(1);
        assertThat(dialled()).containsExactly(silent, other(silent));
        channel(1).succeed();

        assertThat(connected.getNow()).isSameAs(channel(1));
        assertThat(channel(0).isOpen()).isFalse();
        connected.getNow().close();
        for (int i = 0; i < 5; i++) {
            connectAgain(V4_A, V4_B);
            assertThat(dialled()).containsExactly(other(silent));
            channel(0).succeed();
            connected.getNow().close();
        }
    }

    @Test
    void forgetsAFailureAfterItsTime() {
        memory.add(V4_A, nanos);
        advance(29_999);
        connectAgain(V4_A, V4_B);
        assertThat(dialled()).containsExactly(V4_B);
        connected.cancel(true);

        advance(1);
        connectAgain(V4_A, V4_B);
        assertThat(dialled()).containsExactly(V4_A);
        channel(0).succeed();
    }

    @Test
    void forgetsAFailureWhenTheAddressConnects() {
        memory.add(V4_A, nanos);
        connect(TIMEOUT, V4_A);

        channel(0).succeed();

        assertThat(memory.contains(V4_A, nanos)).isFalse();
    }

    @Test
    void startsTheNextAddressAtOnceIfOneFails() {
        connect(TIMEOUT, V4_A, V6_A, V4_B);
        channel(0).fail(new ConnectException("Connection refused"));
        assertThat(dialled()).hasSize(2);

        advance(249);
        assertThat(dialled()).hasSize(2);
        advance(1);
        assertThat(dialled()).hasSize(3);
        channel(1).succeed();

        assertThat(connected.getNow()).isSameAs(channel(1));
    }

    @Test
    void alternatesFamiliesAndBeginsWithTheFirstOfTheList() {
        connect(TIMEOUT, V6_A, V6_B, V4_A, V4_B, V4_C);
        advance(1_000);

        assertThat(dialled().stream().map(each -> each.getAddress().getAddress().length))
                .containsExactly(16, 4, 16, 4, 4);
        connected.cancel(true);
    }

    @Test
    void spreadsConnectionsOverTheAddressesOfEachHost() {
        List<InetSocketAddress> first = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            connectAgain(V4_A, V4_B, V4_C); // The calls of two hosts alternate.
            first.addAll(dialled());
            channel(0).succeed();
            connected.getNow().close();
            connectAgain(V6_A, V6_B);
            first.addAll(dialled());
            channel(0).succeed();
            connected.getNow().close();
        }

        assertThat(first).filteredOn(V4_A::equals).hasSize(2);
        assertThat(first).filteredOn(V4_B::equals).hasSize(2);
        assertThat(first).filteredOn(V4_C::equals).hasSize(2);
        assertThat(first).filteredOn(V6_A::equals).hasSize(3);
        assertThat(first).filteredOn(V6_B::equals).hasSize(3);
    }

    @Test
    void triesFailedAddressesLastInBothFamilies() {
        memory.add(V6_A, nanos);
        memory.add(V4_A, nanos);

        connect(TIMEOUT, V6_A, V4_A, V6_B, V4_B);
        advance(1_000);

        assertThat(dialled()).containsExactly(V6_B, V4_B, V6_A, V4_A);
        connected.cancel(true);
    }

    @Test
    void failsWithTheRefusalIfEveryAddressFails() {
        connect(TIMEOUT, V4_A, V4_B, V4_C, V6_A);
        Throwable refused = new ConnectException("Connection refused");
        channel(0).fail(new ConnectException("Connection timed out"));
        channel(1).fail(new NoRouteToHostException("No route to host"));
        channel(2).fail(refused);
        assertThat(connected.isDone()).isFalse();
        channel(3).fail(new SocketException("Network is unreachable"));

        assertThat(connected.cause()).isSameAs(refused);
        assertThat(List.of(V4_A, V4_B, V4_C, V6_A)).allMatch(each -> memory.contains(each, nanos));
    }

    @Test
    void failsWithATimeoutOnlyIfNothingElseIsKnown() {
        connect(TIMEOUT, V4_A, V4_B);
        channel(0).fail(new ConnectException("Connection timed out"));
        channel(1).fail(new SocketException("Network is unreachable"));

        assertThat(connected.cause()).hasMessage("Network is unreachable");
    }

    @Test
    void timesOutOnceForAllAddresses() {
        connect(TIMEOUT, V4_A, V4_B);
        advance(2_999);
        assertThat(connected.isDone()).isFalse();
        advance(1);

        assertThat(connected.cause())
                .isInstanceOf(ConnectTimeoutException.class)
                .hasMessage("no connection within 3000 ms; tried 2 of 2 addresses");
        assertThat(List.of(V4_A, V4_B)).allMatch(each -> memory.contains(each, nanos));
    }

    @Test
    void waitsForTheLastAddressUntilTheTimeout() {
        connect(TIMEOUT, V4_A, V4_B);
        advance(250);
        channel(1).fail(new ConnectException("Connection refused"));
        advance(2_000);

        channel(0).succeed();

        assertThat(connected.getNow()).isSameAs(channel(0));
        assertThat(memory.contains(dialled().get(0), nanos)).isFalse();
    }

    @Test
    void anAddressThatHadTooLittleTimeIsNotSilent() {
        connect(Duration.ofMillis(400), V4_A, V4_B);
        advance(400);

        assertThat(connected.cause()).isInstanceOf(ConnectTimeoutException.class);
        assertThat(memory.contains(dialled().get(0), nanos)).isTrue();
        assertThat(memory.contains(dialled().get(1), nanos)).isFalse();
    }

    @Test
    void aTimeoutBelowTheDelayStillReachesEveryAddress() {
        List<InetSocketAddress> first = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            connectAgain(Duration.ofMillis(100), V6_A, V6_B, V4_A, V4_B);
            advance(100);
            first.addAll(dialled());
        }

        assertThat(first).containsExactlyInAnyOrder(V6_A, V6_B, V4_A, V4_B);
    }

    @Test
    void cancelClosesEverything() {
        connect(TIMEOUT, V4_A, V4_B, V4_C);
        advance(300);

        assertThat(connected.cancel(true)).isTrue();

        assertThat(channels).hasSize(2).noneMatch(Channel::isOpen);
        assertThat(memory.contains(dialled().get(0), nanos)).isTrue();
        assertThat(memory.contains(dialled().get(1), nanos)).isFalse();
        advance(10_000);
        assertThat(channels).hasSize(2);
    }

    @Test
    void closesAChannelThatConnectsAfterTheEnd() {
        connect(TIMEOUT, V4_A);
        connected.cancel(true);

        channel(0).succeed();

        assertThat(channel(0).isOpen()).isFalse();
    }

    @Test
    void failsIfNoChannelCanBeCreated() {
        connected = eyeballs.connect(
                bootstrap(() -> {
                    throw new IllegalStateException("too many open files");
                }),
                List.of(V4_A, V4_B),
                TIMEOUT);

        assertThat(connected.cause()).hasMessageContaining("too many open files");
    }

    @Test
    void failsIfTheBootstrapIsIncomplete() {
        connected = eyeballs.connect(new Bootstrap(), List.of(V4_A), TIMEOUT);

        assertThat(connected.cause()).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void rejectsAnEmptyList() {
        connected = clock.eventLoop().newFailedFuture(new IllegalStateException("not started"));

        assertThatThrownBy(() -> eyeballs.connect(bootstrap(), List.of(), TIMEOUT))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theMemoryIsBounded() {
        FailedAddresses small = new FailedAddresses(2, Duration.ofSeconds(30));
        small.add(V4_A, 1);
        small.add(V4_B, 2);
        small.add(V4_A, 3);
        small.add(V4_C, 4);

        assertThat(small.contains(V4_A, 4)).isTrue();
        assertThat(small.contains(V4_B, 4)).isFalse();
        assertThat(small.contains(V4_C, 4)).isTrue();
        assertThat(small.size()).isEqualTo(2);
        connected = clock.eventLoop().newFailedFuture(new IllegalStateException("not started"));
    }

    private long nanos() {
        return nanos;
    }

    private static InetSocketAddress other(InetSocketAddress address) {
        return address.equals(V4_A) ? V4_B : V4_A;
    }

    /** Forgets the channels of earlier connects. */
    private void connectAgain(InetSocketAddress... addresses) {
        connectAgain(TIMEOUT, addresses);
    }

    private void connectAgain(Duration timeout, InetSocketAddress... addresses) {
        assertThat(channels).noneMatch(Channel::isOpen);
        channels.clear();
        connect(timeout, addresses);
    }

    private void connect(Duration timeout, InetSocketAddress... addresses) {
        connected = eyeballs.connect(bootstrap(), List.of(addresses), timeout);
        clock.runPendingTasks();
    }

    private Bootstrap bootstrap() {
        return bootstrap(() -> {
            ScriptedChannel channel = new ScriptedChannel();
            channels.add(channel);
            return channel;
        });
    }

    private Bootstrap bootstrap(ChannelFactory<Channel> factory) {
        return new Bootstrap().group(clock.eventLoop()).channelFactory(factory).handler(new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {}
        });
    }

    private ScriptedChannel channel(int number) {
        clock.runPendingTasks();
        return channels.get(number);
    }

    private List<InetSocketAddress> dialled() {
        clock.runPendingTasks();
        return channels.stream().map(each -> (InetSocketAddress) each.remote()).toList();
    }

    private void advance(long millis) {
        for (long i = 0; i < millis; i += 1) {
            nanos += TimeUnit.MILLISECONDS.toNanos(1);
            clock.advanceTimeBy(1, TimeUnit.MILLISECONDS);
            clock.runPendingTasks();
            clock.runScheduledPendingTasks();
            clock.runPendingTasks();
        }
    }
}
