package io.iocluster.door.spool;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.List;

/**
 * The records of the spool, in an SQLite database with a write-ahead log. A write is durable when it returns. Confined to one thread at a
 * time.
 */
final class SpoolStore implements AutoCloseable {

    private final Path database;
    private final Connection connection;
    private final RecordSeal seal;

    /** A protected record to store. */
    record NewRecord(long position, byte[] record) {}

    /** Receives records. */
    @FunctionalInterface
    interface RecordVisitor {
        void visit(long position, byte[] record) throws IOException;
    }

    /** Uses an open database, which {@link #close} closes. */
    SpoolStore(Path database, Connection connection, RecordSeal seal) {
        this.database = database;
        this.connection = connection;
        this.seal = seal;
    }

    /**
     * Reads all records, oldest first.
     *
     * @throws SpoolException if one is damaged, or the visitor refuses it
     */
    void forEach(RecordVisitor visitor) throws SpoolException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT position, record FROM calls ORDER BY position")) {
            while (rows.next()) {
                long position = rows.getLong(1);
                visit(visitor, position, rows.getBytes(2));
            }
        } catch (SQLException failed) {
            throw SpoolDatabase.failure(database, failed);
        }
    }

    private void visit(RecordVisitor visitor, long position, byte[] sealed) throws SpoolException {
        try {
            visitor.visit(position, seal.open(position, sealed));
        } catch (IOException changed) {
            throw SpoolDatabase.damaged(database, "record " + position + ": " + changed.getMessage(), changed);
        }
    }

    /** Protects a record. */
    NewRecord seal(long position, byte[] record) {
        return new NewRecord(position, seal.seal(position, record));
    }

    /**
     * Reads a record.
     *
     * @throws IOException if it cannot be read, is missing, or is damaged
     */
    byte[] read(long position) throws IOException {
        try (PreparedStatement select = connection.prepareStatement("SELECT record FROM calls WHERE position = ?")) {
            select.setLong(1, position);
            try (ResultSet row = select.executeQuery()) {
                if (!row.next()) {
                    throw new IOException("the record is missing");
                }
                return seal.open(position, row.getBytes(1));
            }
        } catch (SQLException failed) {
            throw new IOException(failed.getMessage(), failed);
        }
    }

    /**
     * Removes and adds records together, durably.
     *
     * @throws IOException if that is not possible now; then nothing has changed
     */
    void write(Collection<SpoolEntry> removed, List<NewRecord> added) throws IOException {
        // Prepared for each write, because the driver cannot use a statement again after it has failed.
        try (Statement statement = connection.createStatement();
                PreparedStatement delete = connection.prepareStatement("DELETE FROM calls WHERE position = ?");
                PreparedStatement insert =
                        connection.prepareStatement("INSERT INTO calls (position, record) VALUES (?, ?)")) {
            statement.executeUpdate("BEGIN IMMEDIATE");
            int change = 0;
            for (SpoolEntry entry : removed) {
                delete.setLong(1, entry.position);
                change -= delete.executeUpdate();
            }
            for (NewRecord each : added) {
                insert.setLong(1, each.position());
                insert.setBytes(2, each.record());
                change += insert.executeUpdate();
            }
            statement.executeUpdate("UPDATE spool SET calls = calls + " + change);
            statement.executeUpdate("COMMIT");
        } catch (SQLException failed) {
            rollBack();
            throw new IOException(failed.getMessage(), failed);
        }
    }

    private void rollBack() {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("ROLLBACK");
        } catch (SQLException alreadyRolledBack) {
            // SQLite has ended the transaction itself.
        }
    }

    @Override
    public void close() {
        SpoolDatabase.close(connection);
    }
}
