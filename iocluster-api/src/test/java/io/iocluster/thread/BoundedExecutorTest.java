package io.iocluster.thread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class BoundedExecutorTest {

    /** The tasks of the threads that have started. */
    private final Queue<Runnable> threads = new ArrayDeque<>();

    private final List<Integer> done = new ArrayList<>();
    private final BoundedExecutor executor = new BoundedExecutor(threads::add, 2);

    private void execute(int number) {
        executor.execute(() -> done.add(number));
    }

    @Test
    void runsNoMoreTasksAtOnceThanAllowedAndTheOthersInTheirOrder() {
        execute(1);
        execute(2);
        execute(3);
        execute(4);
        assertThat(threads).hasSize(2);

        threads.remove().run();
        threads.remove().run();
        execute(5);

        assertThat(done).containsExactly(1, 3, 4, 2);
        assertThat(threads).hasSize(1);
    }

    @Test
    void runsTasksOnTheCallerIfNoThreadCanBeStarted() {
        BoundedExecutor full = new BoundedExecutor(
                task -> {
                    throw new OutOfMemoryError("in a test");
                },
                2);

        full.execute(() -> done.add(1));

        assertThat(done).containsExactly(1);
    }

    @Test
    void returnsTheTasksThatHaveNotStartedWhenItCloses() {
        execute(1);
        execute(2);
        execute(3);

        List<Runnable> unstarted = executor.close();

        threads.remove().run();
        assertThat(done).containsExactly(1);
        unstarted.forEach(Runnable::run);
        assertThat(done).containsExactly(1, 3);
        assertThatThrownBy(() -> execute(4)).isInstanceOf(RejectedExecutionException.class);
    }
}
