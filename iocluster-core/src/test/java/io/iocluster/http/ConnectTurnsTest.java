package io.iocluster.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

class ConnectTurnsTest {

    private static final InetSocketAddress HERE = InetSocketAddress.createUnresolved("a.example", 443);
    private static final InetSocketAddress THERE = InetSocketAddress.createUnresolved("b.example", 443);

    private final Queue<Runnable> loop = new ArrayDeque<>();
    private final List<String> opened = new ArrayList<>();
    private final ConnectTurns turns = new ConnectTurns(loop::add, 2);

    @Test
    void letsNoMoreThanTheLimitOpenAtOnceAndTheOthersInTheirOrder() {
        take(HERE, "1", "2", "3", "4");
        assertThat(opened).containsExactly("1", "2");

        turns.end(HERE);
        runLoop();
        assertThat(opened).containsExactly("1", "2", "3");

        turns.end(HERE);
        runLoop();
        assertThat(opened).containsExactly("1", "2", "3", "4");
    }

    @Test
    void letsOnePlaceNotWaitForAnother() {
        take(HERE, "1", "2", "3");
        take(THERE, "4");
        assertThat(opened).containsExactly("1", "2", "4");
    }

    @Test
    void takesTheSpellingOfAHostForTheSamePlaceInAnyCase() {
        take(HERE, "1", "2");
        take(InetSocketAddress.createUnresolved("A.example", 443), "3");
        assertThat(opened).containsExactly("1", "2");
    }

    @Test
    void passesAThousandTurnsOnThatEndAtOnceWithoutNestingThem() {
        take(HERE, "1", "2");
        for (int i = 0; i < 1000; i++) {
            turns.take(HERE, () -> turns.end(HERE));
        }
        turns.end(HERE);
        assertThat(loop).hasSize(1);
        runLoop();
        turns.end(HERE);
        assertThat(turns.places()).isZero();
    }

    @Test
    void forgetsAPlaceWhereNothingIsBeingOpened() {
        take(HERE, "1");
        take(THERE, "2");
        turns.end(HERE);
        assertThat(turns.places()).isEqualTo(1);
    }

    private void take(InetSocketAddress place, String... names) {
        for (String name : names) {
            turns.take(place, () -> opened.add(name));
        }
    }

    private void runLoop() {
        while (!loop.isEmpty()) {
            loop.remove().run();
        }
    }
}
