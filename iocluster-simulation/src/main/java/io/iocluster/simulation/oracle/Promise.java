package io.iocluster.simulation.oracle;

/** The promises of docs/guarantees.md that the oracle checks. */
public enum Promise {
    /** Each envelope ends in a confirmed answer or a confirmed dead letter. */
    ENDS,
    /** A message is settled only after its answer, dead letter or delayed retry is stored. */
    SETTLED_AFTER_CONFIRM,
    /** Duplicates are bounded by deliveries and lost confirms, and a message returns to the queue only for a reason. */
    FEW_DUPLICATES,
    /** What an answer says about its call is true. */
    TRUE_ANSWER,
    /** An answer goes where its envelope asks. */
    REPLY_TO,
    /** No attempt starts after the deadline, or continues after it. */
    DEADLINE,
    /** No attempt lasts longer than its timeout. */
    TIMEOUT,
    /** No call has more attempts than it may, and a call that is not repeatable is not repeated. */
    ATTEMPTS,
    /** Limits of nodes, destinations and apps hold. */
    LIMIT,
    /** The nodes together keep a limit that they divide. */
    CLUSTER_LIMIT,
    /** A target that asks for a pause gets it. */
    RETRY_AFTER,
    /** A cached response is fresh and stays within its app. */
    CACHE,
    /** A call starts after all earlier ones with the same key, if their order was asked for. */
    ORDER,
    /** A node that is paused or drains reads nothing. */
    READS_NOTHING,
    /** A node that can make a call makes it. */
    PROGRESS,
    /** Bad destinations do not delay the calls to a healthy one. */
    FAIR,
    /** A node at rest holds nothing. */
    REST,
    /** No exception is uncaught, and no call ends with a defect. */
    NO_DEFECT,
    /** The run ends: no task runs for ever, and the virtual time advances. */
    TERMINATES,
    /** The same seed gives the same run. */
    REPEATABLE
}
