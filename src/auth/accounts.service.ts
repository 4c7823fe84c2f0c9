import { Injectable } from '@nestjs/common';
import { ulid } from 'ulid';
import type { AccountId } from '../catalog/ids.js';
import { Clock } from '../config/clock.js';
import type { Account, AccountType, Plan } from './account.js';
import { AccountsRepository } from './accounts.repository.js';
import { AccountNotFoundError, HandleTakenError, InvalidHandleError } from './auth.errors.js';
import { findHandleIssue } from './handle.js';

/** What the creator of an account decides. */
export interface NewAccount {
  handle: string;
  type: AccountType;
  plan: Plan;
}

/** Creates and finds accounts. */
@Injectable()
export class AccountsService {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly clock: Clock,
  ) {}

  /** @throws {InvalidHandleError} @throws {HandleTakenError} */
  async create(wanted: NewAccount): Promise<Account> {
    const issue = findHandleIssue(wanted.handle);
    if (issue) throw new InvalidHandleError(issue);
    const createdAt = this.clock.now();
    const account: Account = { id: ulid(createdAt.getTime()) as AccountId, ...wanted, createdAt };
    if (!(await this.accounts.insert(account))) throw new HandleTakenError(wanted.handle);
    return account;
  }

  /** Changes the plan of an account, from the next request on. @throws {AccountNotFoundError} */
  async setPlan(handle: string, plan: Plan): Promise<void> {
    if (!(await this.accounts.updatePlan(handle, plan))) throw new AccountNotFoundError(handle);
  }

  /** @throws {AccountNotFoundError} */
  async getByHandle(handle: string): Promise<Account> {
    const account = await this.accounts.findByHandle(handle);
    if (!account) throw new AccountNotFoundError(handle);
    return account;
  }

  async get(id: AccountId): Promise<Account> {
    return await this.accounts.get(id);
  }

  /** Oldest first. */
  async list(): Promise<Account[]> {
    return await this.accounts.list();
  }
}
