package io.iocluster.lab.load.data;

import io.iocluster.lab.load.experiment.Feeder;
import java.util.SplittableRandom;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.DiscreteSampler;
import org.apache.commons.rng.sampling.distribution.RejectionInversionZipfSampler;

/**
 * Chooses the rows of a feeder. Of several agents with the same feeder, each takes other rows in {@code sequential}, {@code unique}
 * and {@code combinations}. Confined to the thread that creates the calls.
 */
final class RowCursor {

    /** Returned if no row is left. */
    static final long EXHAUSTED = -1;

    private final Rows rows;
    private final Feeder.Order order;
    private final int stride;
    private final DiscreteSampler zipf;
    private long next;
    private SplittableRandom random;

    /**
     * Creates a cursor.
     *
     * @param stride number of agents
     * @param first index of this agent
     */
    RowCursor(Rows rows, Feeder feeder, int stride, int first) {
        this.rows = rows;
        this.order = feeder.order();
        this.stride = stride;
        this.next = first;
        UniformRandomProvider bits = () -> random.nextLong();
        this.zipf = order == Feeder.Order.ZIPF
                ? RejectionInversionZipfSampler.of(bits, Math.toIntExact(rows.count()), feeder.exponent())
                : null;
    }

    /**
     * Returns the row of the next call, or {@link #EXHAUSTED}.
     *
     * @param random the random numbers of the call
     */
    long next(SplittableRandom random) {
        return switch (order) {
            case SEQUENTIAL, COMBINATIONS -> advance() % rows.count();
            case RANDOM -> random.nextLong(rows.count());
            case UNIQUE -> {
                long row = advance();
                yield row < rows.count() ? row : EXHAUSTED;
            }
            case ZIPF -> {
                this.random = random;
                yield zipf.sample() - 1L;
            }
        };
    }

    private long advance() {
        long row = next;
        next += stride;
        return row;
    }
}
